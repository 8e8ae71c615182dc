# Compiles the sources of the package for .NET into a clean project, as NuGet has a project do,
# by the C# compiler of Mono, as there may be no SDK of .NET: nuget.sh PACKAGES WORK
set -eu
for tool in mcs mono unzip; do command -v $tool >/dev/null || { echo "skipped: there is no $tool"; exit 3; }; done
PATH=$1/../wazero:$PATH
command -v wasmtime >/dev/null || command -v wazero >/dev/null || { echo "skipped: there is no wasmtime and no wazero"; exit 3; }
here=$(cd "$(dirname "$0")" && pwd)
cd "$2"
unzip -q "$1"/nuget/Einvoice.*.nupkg -d package
cp package/contentFiles/any/any/einvoice.wasm .
mcs -langversion:7 -out:run.exe -r:System.Runtime.Serialization.dll "$here/Run.cs" package/contentFiles/cs/any/Einvoice/*.cs
printf '#!/bin/sh\nexec env PATH="%s" mono run.exe\n' "$PATH" >run && chmod +x run
