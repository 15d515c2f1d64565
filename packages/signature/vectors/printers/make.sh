#!/bin/sh
# Makes the vectors anew: asks each language that this machine has how it prints the values of values.json.
# On Debian 12: apt-get install php-cli python3 ruby golang-go default-jdk libjackson2-databind-java libgoogle-gson-java \
#   mono-mcs libnewtonsoft-json5.0-cil libmono-system-web4.0-cil
set -eu
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

make() { # make FILE TOOL COMMAND…
  file=$1
  tool=$2
  shift 2
  if ! command -v "$tool" > /dev/null; then
    echo "$file is left as it is: this machine has no $tool" >&2
    return
  fi
  "$@" > "$folder/$file"
  mv "$folder/$file" "$file"
}

java_prints() {
  jars=/usr/share/java
  classes=$jars/jackson-databind.jar:$jars/jackson-core.jar:$jars/jackson-annotations.jar:$jars/gson.jar
  javac -d "$folder" -cp "$classes" Print.java
  gson=$(basename $jars/gson-[0-9]*.jar .jar)
  VALUES=$(cat values.json) java -cp "$folder:$classes" Print "${gson#gson-}"
}

go_prints() {
  GOCACHE=$folder/go GO111MODULE=off go run print.go < values.json
}

csharp_prints() {
  library=$(find /usr/lib/cli /usr/lib/mono -name Newtonsoft.Json.dll | head -n 1)
  cp "$library" "$folder/"
  mcs -langversion:7.2 -out:"$folder/print.exe" -r:"$library" -r:System.Web.dll -r:System.Numerics.dll Print.cs
  mono "$folder/print.exe" < values.json
}

make php.json php php print.php
make python.json python3 python3 print.py
make ruby.json ruby ruby print.rb
make go.json go go_prints
make java.json javac java_prints
make csharp.json mcs csharp_prints
npx biome format --write .
