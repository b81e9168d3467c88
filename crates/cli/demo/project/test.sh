# Every conversion that was ever wrong has a line here.

cd "$(dirname "$0")" || exit 2
source src/convert.sh

failed=0

check() {
  local got
  got=$("$1" "$2")
  sleep 0.15
  if [ "$got" = "$3" ]; then
    echo "ok      $1 $2 = $3"
  else
    echo "FAILED  $1 $2 = $got, not $3"
    failed=$((failed + 1))
  fi
}

check to_fahrenheit 0 32
check to_fahrenheit 4 39
check to_fahrenheit 7 45
check to_fahrenheit 9 48
check to_fahrenheit 15 59
check to_fahrenheit -3 27
check to_celsius 212 100

if [ "$failed" -gt 0 ]; then
  echo "$failed failed"
  exit 1
fi
echo "all passed"
