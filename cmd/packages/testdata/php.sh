# Installs the package for PHP into a clean project: php.sh PACKAGES WORK
set -eu
for tool in php composer; do command -v $tool >/dev/null || { echo "skipped: there is no $tool"; exit 3; }; done
PATH=$1/../wazero:$PATH
command -v wasmtime >/dev/null || command -v wazero >/dev/null || { echo "skipped: there is no wasmtime and no wazero"; exit 3; }
here=$(cd "$(dirname "$0")" && pwd)
cp "$here/run.php" "$2/" && cd "$2"
version=$(ls "$1"/php | sed 's/.*-\([0-9.]*\)\.zip/\1/')
cat >composer.json <<END
{"name": "clean/project", "repositories": [{"type": "artifact", "url": "$1/php"}, {"packagist.org": false}], "require": {"einvoice/einvoice": "$version"}}
END
COMPOSER_ALLOW_SUPERUSER=1 composer install --quiet --no-interaction
printf '#!/bin/sh\nexec env PATH="%s" php run.php\n' "$PATH" >run && chmod +x run
