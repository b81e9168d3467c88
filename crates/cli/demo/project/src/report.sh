# A line a day: the day, Celsius, Fahrenheit.

source "$(dirname "$0")/convert.sh"

while read -r day celsius; do
  printf '%s %4s °C %4s °F\n' "$day" "$celsius" "$(to_fahrenheit "$celsius")"
done
