//! Texts of each construct with their trees: each is read as that tree, has a printed form, and that is read as the same tree.
//! Without bash, so that a construct that is read as another one, lost or printed in another way shows in any run of the tests.

use toolwright_bash_syntax::{parse, print};

use super::check;
use super::printed::printed;

/// The text and the tree as `render` shows it.
type Row = (&'static str, &'static str);

/// What stands quoted would be something else without quotes.
const QUOTED: &[Row] = &[
    ("'!' a; \\! a; a '!'", "<'!'> <a>; <'!'> <a>; <a> <'!'>"),
    (
        "'time' a; 'if' a; 'while' b; '[[' a; 'case' b; 'function' c; '{' a; '}' b; 'coproc' d; 'select' e; 'for' f",
        "<'time'> <a>; <'if'> <a>; <'while'> <b>; <'[['> <a>; <'case'> <b>; <'function'> <c>; <'{'> <a>; <'}'> <b>; <'coproc'> <d>; <'select'> <e>; <'for'> <f>",
    ),
    (
        "'a=b' c; a'='b c; 'x[1]=2' c; '-p' a; time '-p' a",
        "<'a=b'> <c>; <a'='b> <c>; <'x[1]=2'> <c>; <'-p'> <a>; time <'-p'> <a>",
    ),
    (
        "echo '~' '~/a' '~root' a:'~' x='~/b'; x='~'; y=a:'~'",
        "<echo> <'~'> <'~/a'> <'~root'> <a:'~'> <x='~/b'>; x=<'~'>; y=<a:'~'>",
    ),
    (
        "echo '{a,b}' '{1..3}' {'a,b',c} '*' '?' '[a]' '#' ' #' '$x' '`a`' '$(a)' '\\' '\"' \"it's\" '' \"\" ''\"\"",
        "<echo> <'{a,b}'> <'{1..3}'> <{'a,b',c}> <'*'> <'?'> <'[a]'> <'#'> <' #'> <'$x'> <'`a`'> <'$(a)'> <'\\'> <'\"'> <'it's'> <''> <''> <''>",
    ),
    (
        "echo ';' '&' '|' '<' '>' '(' ')' '&&' ';;' '>(a)' '<(a)' '2'>a 2'>'a",
        "<echo> <';'> <'&'> <'|'> <'<'> <'>'> <'('> <')'> <'&&'> <';;'> <'>(a)'> <'<(a)'> <'2'> <2'>'a> Write<a>",
    ),
    (
        "declare 'a=b' x=c; export 'PATH=/bin'; local -r x=~/a:~",
        "<declare> <'a=b'> x=<c>; <export> <'PATH=/bin'>; <local> <-r> x=<[~]/a:[~]>",
    ),
];

/// Lists, pipelines and compound commands.
const COMMANDS: &[Row] = &[
    (
        "a && b || c; a || b && c; a & b; a; b &",
        "<a> && <b> || <c>; <a> || <b> && <c>; <a> &; <b>; <a>; <b> &",
    ),
    (
        "a | b |& c | d; ! a | b; time a | b; time -p ! a; ! ! a",
        "<a> |> <b> 2>&<1> |> <c> |> <d>; ! <a> |> <b>; time <a> |> <b>; time -p ! <a>; <a>",
    ),
    ("a#b # c\n#d\ne \\\n f", "<a#b> ⏎ <e> <f>"),
    ("a `b \\\\c \\$d` \"`e \\\"f\\\"`\"", "<a> <$(<b> <'c'> <${d}>)> <\"$(<e> <'f'>)\">"),
    ("a\nb &\nc; d", "<a> ⏎ <b> & ⏎ <c>; <d>"),
    (
        "if a; then b; elif c; then d; elif e; then f; else g; fi >h",
        "if <a> then <b> elif <c> then <d> elif <e> then <f> else <g> fi Write<h>",
    ),
    (
        "while a; do b; done <c; until a; do b; done; for x in a *.b \"$c\"; do d; done; for x; do y; done; for x in; do y; done",
        "while <a> do <b> done Read<c>; until <a> do <b> done; for x in <a> <*.b> <\"${c}\"> do <d> done; for x do <y> done; for x in  do <y> done",
    ),
    (
        "for ((i = 0; i < 3; i++)); do a; done; for ((;;)); do break; done",
        "for (((i= 0);(Less i 3);(i ++))) do <a> done; for ((;;)) do <break> done",
    ),
    (
        "{ a; b; } 2>c; ( a; b ) | c; ((a + 1)); (( (a) )); f() { a; } >b; g() ( a ); function h { a; }",
        "{ <a>; <b> } 2Write<c>; ( <a>; <b> ) |> <c>; (((Add a 1))); ((groupa)); f() { <a> } Write<b>; g() ( <a> ); h() { <a> }",
    ),
    (
        "case $x in a) b;; (c|'d') e;; -*) f;& --) g;;& '*') h;; *) ;; esac",
        "case <${x}> in <a>) <b> Break <c>|<'d'>) <e> Break <-*>) <f> FallThrough <-->) <g> Continue <'*'>) <h> Break <*>)  Break esac",
    ),
    (
        "case a in '[x]'*) b;; [!x]'*') c;; \\?) d;; [[:alpha:]]*.txt) e;; esac",
        "case <a> in <'[x]'*>) <b> Break <[!x]'*'>) <c> Break <'?'>) <d> Break <[[:alpha:]]*.txt>) <e> Break esac",
    ),
    (
        "[[ -f a && ! -d b || ( c == d* && \"e\" != 'f*' ) ]]; [[ a =~ ^b.*'c$'$ ]]; [[ a < b ]]; [[ a -nt b ]]; [[ $x ]]; [[ '-f' ]]",
        "[[ ((-f <a> && !(-d <b>)) || (<c> == <d*> && <'e'> != <'f*'>)) ]]; [[ <a> =~ <^b.*'c$'$> ]]; [[ <a> < <b> ]]; [[ <a> -nt <b> ]]; [[ <${x}> ]]; [[ <'-f'> ]]",
    ),
    (
        "[[ $a == \"$b\" ]]; [[ $a == $b ]]; [[ 1 -eq n ]]; [[ -n $x ]]",
        "[[ <${a}> == <\"${b}\"> ]]; [[ <${a}> == <${b}> ]]; [[ <1> -eq <n> ]]; [[ -n <${x}> ]]",
    ),
];

/// Redirections.
const REDIRECTS: &[Row] = &[
    (
        "a <b >c >>d 2>e 2>&1 >|f <>g 3<h 4>&- 5<&3- <&0 &>i &>>j >&k 2>>l",
        "<a> Read<b> Write<c> Append<d> 2Write<e> 2>&<1> Clobber<f> ReadWrite<g> 3Read<h> 4>&<-> 5<&<3-> <&<0> WriteBoth<i> AppendBoth<j> WriteBoth<k> 2Append<l>",
    ),
    (
        "a <<E\nb $c \\$d\nE\na <<'E'\nb $c\nE\na <<-E\n\tb $c\n\tE\na <<-'E'\n\tb\n\t\tc\n\tE\na <<E\nE",
        "<a> <<E<'b '${c}' $d\n'> ⏎ <a> <<'E'<'b $c\n'> ⏎ <a> <<E<'b '${c}'\n'> ⏎ <a> <<'E'<'b\nc\n'> ⏎ <a> <<E<>",
    ),
    ("a <<A >b <<B\nc\nA\n$d\nB", "<a> <<A<'c\n'> Write<b> <<B<${d}'\n'>"),
    (
        "a <<<b; a <<<$b; a <<<\"$b\" c; a <<<$(b); a <<<'b c'; a <<<~",
        "<a> <<<<b>; <a> <<<<${b}>; <a> <c> <<<<\"${b}\">; <a> <<<<$(<b>)>; <a> <<<<'b c'>; <a> <<<<[~]>",
    ),
    (
        "a <<E\n$* ${b[*]} \"c\"\nE\na <<\\E\n'd'\n\nE",
        "<a> <<E<${*}' '${b[*]}' \"c\"\n'> ⏎ <a> <<\\E<''d'\n\n'>",
    ),
    (">a; <b; 2>&1 a; a >b c", "Write<a>; Read<b>; <a> 2>&<1>; <a> <c> Write<b>"),
];

/// Words and quotes.
const WORDS: &[Row] = &[
    (
        "a $b \"$b\" '$b' ${b}c \"${b}c\" $b'c' \"$b c\"d \"\"$b ''",
        "<a> <${b}> <\"${b}\"> <'$b'> <${b}c> <\"${b}'c'\"> <${b}'c'> <\"${b}' c'\"d> <''${b}> <''>",
    ),
    (
        "a $'b\\tc\\'d\\\\' $'\\n' \\a \\$ \"\\$x\" \"\\\"\" a\\ b ",
        "<a> <'b\tc'd\\'> <'\n'> <'a'> <'$'> <'$x'> <'\"'> <a' 'b>",
    ),
    (
        "a ~ ~/b ~c ~+ ~-/d x=~ y=~/z b~ \\~; x=~/a:~b; export x=~",
        "<a> <[~]> <[~]/b> <[~c]> <[~+]> <[~-]/d> <x=[~]> <y=[~]/z> <b~> <'~'>; x=<[~]/a:[~b]>; <export> x=<[~]>",
    ),
    ("a ~'b' ~\"c\" ~$d b~/c ~b'c' x=~'d'", "<a> <~'b'> <~'c'> <~${d}> <b~/c> <~b'c'> <x=~'d'>"),
    (
        "a {b,c}d {1..3} {a..c} {01..10..3} {b,{c,d}e} {,x} \"{b,c}\" {b}",
        "<a> <{b,c}d> <{..1..3}> <{..a..c}> <{..01..10..3}> <{b,{c,d}e}> <{,x}> <'{b,c}'> <{b}>",
    ),
    ("a * ? [b] [!b]c *'*' \"*\"? \\*", "<a> <*> <?> <[b]> <[!b]c> <*'*'> <'*'?> <'*'>"),
    (
        "a $(b; c) `d \\`e\\`` \"$(f \"g\")\" $(<h) $( (i) ) <(j) >(k)",
        "<a> <$(<b>; <c>)> <$(<d> <$(<e>)>)> <\"$(<f> <'g'>)\"> <$(Read<h>)> <$(( <i> ))> <<(<j>)> <>(<k>)>",
    ),
];

/// Parameters and assignments.
const PARAMETERS: &[Row] = &[
    (
        "echo $* $@ \"$*\" \"$@\" $# $? $- $0 $1 ${10} ${a[0]} ${a[@]} \"${a[*]}\" ${#a[@]} ${!a[@]} ${!a} ${!a*}",
        "<echo> <${*}> <${@}> <\"${*}\"> <\"${@}\"> <${#}> <${?}> <${-}> <${0}> <${1}> <${10}> <${a[0]}> <${a[@]}> <\"${a[*]}\"> <${#a[@]}> <${!a[@]}> <${!a}> <${!a*}>",
    ),
    (
        "x=1 y+=2 a[1]=3 a[i+1]+=4 a=(b 'c d' [2]=e [3]+=f) b+=(g) z= c=''",
        "x=<1> y+=<2> a[1]=<3> a[i+1]+=<4> a=(<b> <'c d'> [2]=<e> [3]+=<f>) b+=(<g>) z=<> c=<''>",
    ),
    ("x=$y x=\"$y\" x=$(a b) x='a b' command", "x=<${y}> x=<\"${y}\"> x=<$(<a> <b>)> x=<'a b'> <command>"),
    (
        "a ${b:-c} ${b-c} ${b:=c} ${b=c} ${b:?c} ${b?c} ${b:+c} ${b+c} \"${b:-c d}\" \"${b:-\"c  d\"}\" ${b:-'*'} ${b:-*}",
        "<a> <${b:-<c>}> <${b-<c>}> <${b:=<c>}> <${b=<c>}> <${b:?<c>}> <${b?<c>}> <${b:+<c>}> <${b+<c>}> <\"${b:-<'c d'>}\"> <\"${b:-<'c  d'>}\"> <${b:-<'*'>}> <${b:-<*>}>",
    ),
    (
        "a ${b#c} ${b##*/} ${b%.*} ${b%%'*'} \"${b#\"$c\"}\" \"${b%\"*\"}\" ${b##[!a]}",
        "<a> <${b#<c>}> <${b##<*/>}> <${b%<.*>}> <${b%%<'*'>}> <\"${b#<\"${c}\">}\"> <\"${b%<'*'>}\"> <${b##<[!a]>}>",
    ),
    (
        "a ${b/c/d} ${b//c} ${b/#c/d} ${b/%c/d} ${b/\\//_} ${b/'*'/x}",
        "<a> <${b/<c>/<d>}> <${b//<c>}> <${b/#<c>/<d>}> <${b/%<c>/<d>}> <${b/<'/'>/<_>}> <${b/<'*'>/<x>}>",
    ),
    (
        "a ${b:1} ${b:1:2} ${b: -1} ${b:n+1:-2} ${@:2} ${b^} ${b^^} ${b,} ${b,,[a-c]} ${b@Q} ${#b}",
        "<a> <${b:1}> <${b:1:2}> <${b:(- 1)}> <${b:(Add n 1):(- 2)}> <${@:2}> <${b^}> <${b^^}> <${b,}> <${b,,<[a-c]>}> <${b@Q}> <${#b}>",
    ),
];

/// Arithmetic, and what is only an argument.
const ARITHMETIC: &[Row] = &[
    (
        "a $((1 + 2 * 3)) $(((1 + 2) * 3)) $((2 ** 3 ** 2)) $((-a)) $((! a)) $((~a)) $((a ? b : c)) $((a = b)) $((a += 1)) $((a, b))",
        "<a> <$(((Add 1 (Multiply 2 3))))> <$(((Multiply group(Add 1 2) 3)))> <$(((Power 2 (Power 3 2))))> <$(((- a)))> <$(((! a)))> <$(((~ a)))> <$(((? a b c)))> <$(((a= b)))> <$(((a=Add 1)))> <$(((a, b)))>",
    ),
    (
        "a $(($b * 2)) $((($b) * 2)) $((a[1] + ${c})) $((16#ff)) $((0x1f + 010)) $((a++ + --b)) $((a << 2 | b && c)) $[1+2]",
        "<a> <$(((Multiply ${b} 2)))> <$(((Multiply group${b} 2)))> <$(((Add a[1] ${c})))> <$((16#ff))> <$(((Add 0x1f 010)))> <$(((Add (a ++) (-- b))))> <$(((And (BitOr (ShiftLeft a 2) b) c)))> <$(((Add 1 2)))>",
    ),
    (
        "set -- -a \"$b\"; a -- -b; rm -- \"$c\"; git log -- d",
        "<set> <--> <-a> <\"${b}\">; <a> <--> <-b>; <rm> <--> <\"${c}\">; <git> <log> <--> <d>",
    ),
];

#[test]
fn every_construct_is_printed_and_read_as_the_same_tree() {
    let mut lost = Vec::new();
    for (text, tree) in [QUOTED, COMMANDS, REDIRECTS, WORDS, PARAMETERS, ARITHMETIC].into_iter().flatten() {
        check(text, tree);
        match printed(text) {
            Ok(Some(_)) => {}
            Ok(None) => lost.push(format!("{text}\nis refused: {:?}", print(&parse(text).script))),
            Err(why) => lost.push(format!("{text}\n{why}")),
        }
    }
    assert!(lost.is_empty(), "{}", lost.join("\n\n"));
}
