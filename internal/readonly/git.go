package readonly

import "github.com/spillway-go/spillway/internal/commandline"

// The options of git's subcommands, in groups. All of those that show revisions take the options of diff, and with
// them --output, blame and shortlog too, see writers.
const (
	gitDiff = ` -p -u -s -U: -# -a -b -w -z -B? -C? -D -G: -I: -M? -O: -R -S: -W -X? -l: --patch --no-patch
		--unified= --raw --patch-with-raw --indent-heuristic --no-indent-heuristic --minimal --patience
		--histogram --anchored= --diff-algorithm= --stat? --compact-summary --numstat --shortstat --dirstat?
		--cumulative --summary --patch-with-stat --name-only --name-status --submodule? --color? --no-color
		--color-moved? --no-color-moved --color-moved-ws= --word-diff? --word-diff-regex= --color-words?
		--no-renames --rename-empty --no-rename-empty --check --ws-error-highlight= --full-index --binary
		--abbrev? --break-rewrites? --find-renames? --find-copies? --find-copies-harder --irreversible-delete
		--diff-filter= --pickaxe-all --pickaxe-regex --find-object= --skip-to= --rotate-to= --relative?
		--no-relative --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space
		--ignore-blank-lines --ignore-matching-lines= --inter-hunk-context= --function-context --exit-code
		--quiet --no-ext-diff --no-textconv --ignore-submodules? --src-prefix= --dst-prefix= --no-prefix
		--default-prefix --line-prefix= --ita-invisible-in-index --cc --combined-all-paths -c -m -r -t --root`

	gitRevisions = ` -n: -g -i -E -F -P -q -L: --max-count= --skip= --since= --after= --until= --before=
		--author= --committer= --grep-reflog= --grep= --all-match --invert-grep --regexp-ignore-case
		--basic-regexp --extended-regexp --fixed-strings --perl-regexp --remove-empty --merges --no-merges
		--min-parents= --max-parents= --no-min-parents --no-max-parents --first-parent --not --all --branches?
		--tags? --remotes? --glob= --exclude= --reflog --alternate-refs --single-worktree --ignore-missing
		--bisect --cherry-mark --cherry-pick --left-only --right-only --cherry --walk-reflogs --merge --boundary
		--simplify-by-decoration --full-history --dense --sparse --simplify-merges --ancestry-path? --date-order
		--author-date-order --topo-order --reverse --no-walk? --do-walk --pretty% --format% --abbrev-commit
		--no-abbrev-commit --oneline --encoding= --expand-tabs? --no-expand-tabs --notes? --no-notes
		--relative-date --date= --parents --children --left-right --graph --no-graph --show-linear-break?
		--follow --no-decorate --decorate? --decorate-refs= --decorate-refs-exclude= --source --mailmap
		--no-mailmap --use-mailmap --full-diff --log-size --show-pulls --no-diff-merges --count`

	gitRefs = ` --contains: --no-contains: --merged? --no-merged? --points-at: --sort% --format% --color?
		--no-color --column? --no-column -i --ignore-case --omit-empty`
)

const gitDiffHarm = `--ext-diff: runs a program; --textconv: runs a program`

const gitLogHarm = gitDiffHarm + `; --show-signature: runs gpg`

// git is the subcommands that show something. Which programs run by configuration alone (see the package) is not
// theirs to say.
var git = &program{
	options: `--no-pager -P --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs
		--icase-pathspecs --no-replace-objects --version --html-path --man-path --info-path --exec-path`,
	listing: "--version --html-path --man-path --info-path --exec-path",
	harmful: `-c --config-env: sets configuration, which may name programs; --exec-path: runs programs from there;
		-C --git-dir --work-tree: may find another repository, with another configuration;
		-p --paginate: runs a pager; --namespace --super-prefix --attr-source: changes what git reads`,
	operands: none,
	subs: map[string]*program{
		"status": {options: `-s -b -u? -v -z -M? --short --branch --show-stash --porcelain? --long --verbose
			--untracked-files? --ignore-submodules? --ignored? --column? --no-column --ahead-behind
			--no-ahead-behind --renames --no-renames --find-renames?`},
		"diff": {options: gitDiff + ` -q --cached --staged --merge-base --no-index -1 -2 -3 -0 --base --ours
			--theirs`,
			harmful: gitDiffHarm},
		"log":         {options: gitDiff + gitRevisions, harmful: gitLogHarm},
		"show":        {options: gitDiff + gitRevisions, harmful: gitLogHarm},
		"whatchanged": {options: gitDiff + gitRevisions, harmful: gitLogHarm},
		"rev-list": {options: gitRevisions + ` -# --objects --objects-edge --unpacked --header --timestamp
			--quiet --disk-usage? --no-object-names --object-names --abbrev? --no-commit-header`},
		"diff-tree":  {options: gitDiff + ` --stdin --no-commit-id --always --pretty% --format%`, harmful: gitDiffHarm},
		"diff-index": {options: gitDiff + ` --cached`, harmful: gitDiffHarm},
		"diff-files": {options: gitDiff + ` -q -0 -1 -2 -3`, harmful: gitDiffHarm},
		"shortlog":   {options: gitRevisions + ` -n -s -e -c -w? -# --numbered --summary --email --committer --group%`},
		"blame": {options: ` -b -c -C? -e -f -h -l -L: -M? -n -p -s -S: -t -w --root --show-stats --reverse
			--first-parent --porcelain --line-porcelain --incremental --encoding= --contents= --date=
			--color-lines --color-by-age --abbrev= --show-name --show-number --show-email --ignore-rev=
			--ignore-revs-file= --score-debug --since=`,
			harmful: `--textconv: runs a program`},
		"grep": {options: ` -a -i -I -r -w -v -h -H -E -G -P -F -n -l -L -z -o -c -p -q -W -A: -B: -C: -e: -f:
			-m: -# --cached --no-index --untracked --exclude-standard --no-exclude-standard --recurse-submodules
			--text --ignore-case --max-depth= --recursive --no-recursive --word-regexp --invert-match
			--full-name --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column
			--files-with-matches --name-only --files-without-match --null --only-matching --count --color?
			--no-color --break --heading --show-function --function-context --context= --after-context=
			--before-context= --threads= --and --or --not --all-match --quiet --max-count= --no-textconv`,
			harmful: `-O --open-files-in-pager: runs a pager; --ext-grep: runs a program; --textconv: runs a
				program`},
		"branch": {options: gitRefs + ` -a -r -l -v --all --remotes --list --verbose --show-current --abbrev?
			--no-abbrev`,
			operands: none, listing: "--list --contains --no-contains --merged --no-merged --points-at",
			harmful: `-d --delete -D: deletes a branch; -m --move -M: renames a branch; -c --copy -C: copies a branch;
				-f --force: moves a branch; -u --set-upstream-to --unset-upstream -t --track: writes the
				configuration;
				--edit-description: runs an editor; --create-reflog: creates a branch`},
		"tag": {options: gitRefs + ` -l -n? --list`, operands: none, listing: "-l --list",
			harmful: `-d --delete: deletes a tag; -a --annotate -s --sign -u --local-user: creates a tag;
				-f --force: moves a tag; -v --verify: runs gpg; -F --file -m --message -e --edit: creates a tag`},
		"for-each-ref": {options: gitRefs + ` -s -p --shell --perl --python --tcl --count= --exclude=`},
		"reflog": {options: ` -# -q -p --oneline --all --no-abbrev-commit --abbrev-commit --stat --no-decorate`,
			subs: map[string]*program{
				"show": {options: gitDiff + gitRevisions, harmful: gitLogHarm},
				"list": {operands: none},
			}},
		"stash": {operands: none, subs: map[string]*program{
			"list": {options: gitDiff + gitRevisions, harmful: gitLogHarm},
			"show": {options: gitDiff + ` --include-untracked --only-untracked`, harmful: gitDiffHarm},
		}},
		"remote": {options: `-v --verbose`, subs: map[string]*program{
			"get-url": {options: `--push --all`},
		}},
		"worktree": {operands: none, subs: map[string]*program{"list": {options: `-v -z --verbose --porcelain`,
			operands: none}}},
		"submodule": {operands: none, subs: map[string]*program{"status": {options: `--cached --recursive -q
			--quiet`}}},
		"notes": {operands: none, subs: map[string]*program{"list": {options: ``}, "show": {options: ``}}},
		"config": {options: ` -l -z --get --get-all --get-regexp --get-urlmatch --list --global --system --local
			--worktree -f: --file= --blob= --name-only --show-origin --show-scope --includes --no-includes
			--null --type= --bool --int --bool-or-int --path --expiry-date --default=`,
			extra: gitConfig, operands: 1, listing: "--get --get-all --get-regexp --get-urlmatch --list -l",
			harmful: `--add --replace-all --unset --unset-all: writes the configuration;
				--rename-section --remove-section: writes the configuration; -e --edit: runs an editor`},
		"cat-file": {options: ` -t -s -p -e -z -Z --batch? --batch-check? --batch-all-objects --buffer
			--unordered --follow-symlinks --allow-unknown-type`,
			harmful: `--textconv: runs a program; --filters: runs a program`},
		"symbolic-ref":  {options: `-q --quiet --short`, operands: 1, harmful: `-d --delete: deletes a reference`},
		"rev-parse":     {judge: anyButHelp},
		"merge-base":    {judge: anyButHelp},
		"ls-files":      {judge: anyButHelp},
		"ls-tree":       {judge: anyButHelp},
		"describe":      {judge: anyButHelp},
		"name-rev":      {judge: anyButHelp},
		"show-ref":      {judge: anyButHelp},
		"check-ignore":  {judge: anyButHelp},
		"check-attr":    {judge: anyButHelp},
		"count-objects": {judge: anyButHelp},
		"cherry":        {judge: anyButHelp},
		"version":       {judge: anyButHelp},
	},
}

// gitConfig refuses the words that are subcommands since git 2.46, which finds them behind options, too.
func gitConfig(name string, c call) string {
	words := c.operands
	for _, o := range c.given {
		if !o.attached && o.value.Text != "" {
			words = append(words, o.value)
		}
	}
	for _, w := range words {
		switch {
		case !w.Known:
			return w.Text + " may be a subcommand of " + name
		case w.Text == "edit":
			return name + " edit runs an editor"
		case w.Text == "set" || w.Text == "unset" || w.Text == "rename-section" || w.Text == "remove-section":
			return name + " " + w.Text + " writes the configuration"
		}
	}
	return ""
}

// anyButHelp is for subcommands of which no option writes or runs anything, but --help, which shows a manual page.
func anyButHelp(_ *program, name string, args []commandline.Word) string {
	if len(args) > 0 && args[0].Known && args[0].Text == "--help" {
		return name + " --help runs man"
	}
	return ""
}
