//! How long a server asks to wait: in seconds, in milliseconds, until a date, or until a limit of use begins anew.

use std::time::{Duration, SystemTime};

use reqwest::header::HeaderMap;

/// What the headers of a refusal ask for. `now` is the time here, which counts where the server does not say its own.
pub(super) fn asked(status: u16, headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let number = |name: &str| text(name)?.parse::<f64>().ok();
    // A date is one by the server's clock, and clocks differ.
    let now = text("date").and_then(|date| httpdate::parse_http_date(date).ok()).unwrap_or(now);
    let until = |time: SystemTime| time.duration_since(now).unwrap_or_default();
    let seconds =
        number("retry-after-ms").map(|milliseconds| milliseconds / 1000.0).or_else(|| number("retry-after"));
    let seconds = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let date = || text("retry-after").and_then(|date| httpdate::parse_http_date(date).ok()).map(until);
    let reset = || (status == 429).then(|| latest_reset(headers)).flatten().map(until);
    seconds.or_else(date).or_else(reset)
}

/// When the last of the limits that are used up begins anew.
fn latest_reset(headers: &HeaderMap) -> Option<SystemTime> {
    let limits = headers.iter().filter_map(|(name, value)| {
        let limit = name.as_str().strip_prefix("anthropic-ratelimit-")?.strip_suffix("-reset")?;
        let remaining = headers.get(format!("anthropic-ratelimit-{limit}-remaining"));
        let remaining = remaining.and_then(|value| value.to_str().ok()?.trim().parse::<f64>().ok());
        let is_used_up = remaining.is_none_or(|remaining| remaining <= 0.0);
        is_used_up.then(|| time(value.to_str().ok()?.trim())).flatten()
    });
    limits.max()
}

/// A time as RFC 3339 writes it, or as seconds since 1970.
fn time(text: &str) -> Option<SystemTime> {
    if let Ok(seconds) = text.parse::<u64>() {
        return SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds));
    }
    let (date, rest) = text.split_once(['T', 't', ' '])?;
    let end = rest.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = rest.split_at_checked(end)?;
    let numbers = |text: &str, between: char| -> Option<[i64; 3]> {
        let parts = text.split(between).map(|part| part.split('.').next()?.parse().ok());
        parts.collect::<Option<Vec<i64>>>()?.try_into().ok()
    };
    let ([year, month, day], [hour, minute, second]) = (numbers(date, '-')?, numbers(clock, ':')?);
    let plausible = (1970..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if !plausible || hour > 24 || minute > 60 || second > 60 {
        return None;
    }
    let offset = match zone.split_at_checked(1)? {
        ("Z" | "z", "") => 0,
        (sign, zone) => {
            let (hours, minutes) = zone.split_once(':')?;
            let seconds = hours.parse::<i64>().ok()? * 3600 + minutes.parse::<i64>().ok()? * 60;
            if sign == "-" { -seconds } else { seconds }
        }
    };
    let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(u64::try_from(seconds).ok()?))
}

/// Days from 1970 to a date of the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years that begin in March have their leap day at the end.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn waits() {
        let now = httpdate::parse_http_date("Mon, 30 Nov 2026 19:29:00 GMT").unwrap();
        let check = |status: u16, headers: &[(&str, &str)], expect: Option<f64>| {
            let named = headers.iter().map(|(name, value)| {
                (HeaderName::try_from(*name).unwrap(), HeaderValue::try_from(*value).unwrap())
            });
            let found = asked(status, &named.collect(), now).map(|wait| wait.as_secs_f64());
            assert_eq!(found, expect, "{headers:?}");
        };
        let one = |value: &str, expect: Option<f64>| {
            check(429, &[("retry-after", value)], expect);
            check(503, &[("retry-after", value)], expect);
        };
        one("2", Some(2.0));
        one(" 0.5 ", Some(0.5));
        one("0", Some(0.0));
        one("Mon, 30 Nov 2026 19:30:00 GMT", Some(60.0));
        one("Monday, 30-Nov-26 19:30:00 GMT", Some(60.0));
        one("Mon Nov 30 19:30:00 2026", Some(60.0));
        // It is past.
        one("Mon, 30 Nov 2026 19:00:00 GMT", Some(0.0));
        one("-1", None);
        one("inf", None);
        one("soon", None);
        check(429, &[("retry-after-ms", "250"), ("retry-after", "9")], Some(0.25));
        // The clock of the server is an hour ahead.
        let date = ("date", "Mon, 30 Nov 2026 20:29:00 GMT");
        check(429, &[("retry-after", "Mon, 30 Nov 2026 20:29:30 GMT"), date], Some(30.0));
        let reset = |limit: &str| format!("anthropic-ratelimit-{limit}-reset");
        let remaining = |limit: &str| format!("anthropic-ratelimit-{limit}-remaining");
        check(429, &[(&reset("requests"), "2026-11-30T19:29:07Z")], Some(7.0));
        check(429, &[(&reset("tokens"), "2026-11-30T20:29:07.5+01:00")], Some(7.0));
        check(429, &[(&reset("unified"), "1796066947")], Some(7.0));
        check(
            429,
            &[
                (&reset("requests"), "2026-11-30T19:29:07Z"),
                (&reset("input-tokens"), "2026-11-30T19:29:20Z"),
                (&reset("output-tokens"), "2026-11-30T20:29:00Z"),
                (&remaining("output-tokens"), "100"),
                (&remaining("input-tokens"), "0"),
            ],
            Some(20.0),
        );
        check(429, &[(&reset("tokens"), "2026-11-30T19:29:07Z"), ("retry-after", "3")], Some(3.0));
        check(529, &[(&reset("tokens"), "2026-11-30T19:29:07Z")], None);
        for nonsense in [
            "",
            "T",
            "2026-11-30",
            "2026-13-30T19:29:07Z",
            "2026-11-30T19:29Z",
            "2026-11-30T19:29:07",
            "a-b-cTd:e:fZ",
        ] {
            check(429, &[(&reset("tokens"), nonsense)], None);
        }
        let leap = time("2028-02-29T00:00:00Z").unwrap();
        assert_eq!(Some(leap), httpdate::parse_http_date("Tue, 29 Feb 2028 00:00:00 GMT").ok());
    }
}
