# Installs the package for Java into a clean project: maven.sh PACKAGES WORK
set -eu
for tool in java javac mvn; do command -v $tool >/dev/null || { echo "skipped: there is no $tool"; exit 3; }; done
here=$(cd "$(dirname "$0")" && pwd)
jar=$(ls "$1"/maven/target/einvoice-*.jar 2>/dev/null | head -1)
[ -n "$jar" ] || { echo "skipped: there is no jar, as there was no mvn when the packages were made"; exit 3; }
cd "$2"
mvn -q -B org.apache.maven.plugins:maven-install-plugin:3.1.4:install-file "-Dfile=$jar" "-DpomFile=$1/maven/pom.xml" "-DlocalRepositoryPath=$2/repository" >&2
version=$(basename "$jar" .jar | sed 's/einvoice-//')
mkdir -p src/main/java && cp "$here/Run.java" src/main/java/
cat >pom.xml <<END
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>clean</groupId><artifactId>project</artifactId><version>1</version>
  <properties><maven.compiler.release>17</maven.compiler.release><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
  <repositories><repository><id>built</id><url>file://$2/repository</url></repository></repositories>
  <dependencies><dependency><groupId>org.einvoice</groupId><artifactId>einvoice</artifactId><version>$version</version></dependency></dependencies>
  <build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin></plugins></build>
</project>
END
# Maven keeps what it once had of a version: a jar of an earlier run would be tried again.
rm -rf "${HOME}/.m2/repository/org/einvoice"
mvn -q -B compile org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies >&2
printf '#!/bin/sh\nexec java -cp "target/classes:target/dependency/*" Run\n' >run && chmod +x run
