# Whole degrees, rounded to the nearest.

to_fahrenheit() {
  local tenths=$(($1 * 18 + 320))
  echo $((tenths / 10))
}

to_celsius() {
  local tenths=$((($1 - 32) * 100 / 18))
  echo $((tenths / 10))
}
