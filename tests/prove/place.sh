# What the harness adds to the layout that the security cases share: names that look like flags, patterns and code, links to
# outside, programs and settings that must not be found.
set -e
cd "$ROOT/proj"
printf '#!/bin/sh\ntouch pwned\n' > evil; cp evil ls; cp evil cat; mkdir 10 node_modules node_modules/.bin; cp evil 10/ls; cp evil node_modules/.bin/ls
chmod 755 evil ls cat 10/ls node_modules/.bin/ls
printf 'touch pwned\n' > script.sh
ln -s ../out/secret.txt f1; ln -s ../out/secret.txt f01; ln -s ../out outdir; printf 'zero\n' > f0; printf 'two\n' > f2
printf '%s\n' '--pre=./evil' > .ripgreprc
printf '@../out/secret.txt\n../out/secret.txt\n' > args
printf '../out/secret.txt\0' > files0
printf 'alias ls="touch pwned"\n' > .bashrc
mkdir -p deep/er a b; printf 'x\n' > deep/er/file.txt; ln -s ../../../out deep/er/link; ln -s ../../out/secret.txt a/x; ln -s ../.env b/x
printf '#!/usr/bin/awk -f\nBEGIN { system("touch pwned") }\n' > prog.awk
printf '1e touch pwned\n' > prog.sed
mkdir odd
cd odd
printf 'text\n' > ./-R; printf 'text\n' > ./-o; printf 'text\n' > ./--files0-from=.env; printf 'text\n' > './--output=pwned'
printf 'text\n' > './-exec'; printf 'text\n' > 'a[$(touch pwned)]'; printf 'text\n' > '$(touch pwned)'; printf 'text\n' > '`touch pwned`'
printf 'text\n' > 'with blank'; printf 'text\n' > "$(printf 'new\nline')"; printf 'text\n' > ';touch pwned;'; printf 'text\n' > "it's"
printf 'S3CR3T-FAKE\n' > .env; ln -s ../../out link; ln -s ../../out/secret.txt 'x y'; mkdir d; ln -s ../../../out/secret.txt d/l
cd ..
mkdir hostile; cd hostile; git init -q; printf 'x\n' > file; git add file; git -c user.name=D -c user.email=d@e commit -qm one
printf 'y\n' >> file; printf '* diff=a filter=b\n' > .gitattributes
cat >> .git/config <<'END'
[core]
	fsmonitor = ./evil
	pager = touch pwned
	sshCommand = touch pwned
[diff]
	external = touch pwned
[diff "a"]
	textconv = touch pwned
[filter "b"]
	clean = touch pwned
	smudge = touch pwned
[alias]
	st = !touch pwned
END
cp ../evil evil
cd ..
mkdir bare; cp -r hostile/.git/. bare/
printf 'S3CR3T-FAKE-OUT\n' > "$ROOT/out/.env"; mkdir "$ROOT/out/sub"; printf 'S3CR3T-FAKE-OUT\n' > "$ROOT/out/sub/file"
printf '[user]\n\tname = D\n\temail = d@e\n' > "$HOME/.gitconfig"
mkdir "$ROOT/tmp"
