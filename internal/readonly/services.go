package readonly

// services are programs that ask a service. What they show they are told, and they run nothing of what is named in
// their configuration: kubectl and gh do, so they are not here.
var services = map[string]*program{
	"docker": {
		operands: none,
		options:  `--version`,
		listing:  "--version",
		harmful: `--config: reads a configuration that may name programs; -H --host -c --context: asks another
			service`,
		subs: map[string]*program{
			"ps": {options: `-a -f: -n: -l -q -s --all --filter= --format= --last= --latest --no-trunc --quiet
				--size`},
			"images": {
				options: `-a -f: -q --all --digests --filter= --format= --no-trunc --quiet --tree`,
			},
			"logs":    {options: `-f -n: -t --details --follow --since= --tail= --timestamps --until=`},
			"inspect": {options: `-f: -s --format= --size --type=`},
			"history": {options: `-H -q --format= --human --no-trunc --quiet`},
			"port":    {any: true},
			"version": {options: `-f: --format=`},
		},
	},
	"systemctl": {
		operands: none,
		options:  `--version --no-pager --user --system -l --full`,
		listing:  "--version",
		harmful:  `-H --host: runs ssh; -M --machine: asks another machine`,
		subs: map[string]*program{
			"status":            {options: unitOptions},
			"show":              {options: unitOptions},
			"cat":               {options: unitOptions},
			"is-active":         {options: unitOptions},
			"is-enabled":        {options: unitOptions},
			"is-failed":         {options: unitOptions},
			"list-units":        {options: unitOptions},
			"list-unit-files":   {options: unitOptions},
			"list-timers":       {options: unitOptions},
			"list-sockets":      {options: unitOptions},
			"list-dependencies": {options: unitOptions},
			"get-default":       {options: unitOptions},
		},
	},
	"ss": {
		options: `-4 -6 -a -e -h -H -i -l -m -n -N: -o -O -p -s -t -u -V -w -x --all --extended --info --listening
			--memory --numeric --options --oneline --processes --summary --tcp --udp --unix --raw --no-header --help
			--version`,
		harmful: `-K --kill: closes connections`,
	},
	"netstat": {options: `-4 -6 -a -A: -e -g -i -l -n -o -p -r -s -t -u -v -w -W -x --all --listening --numeric
		--program --route --statistics --tcp --udp --unix --wide`},
	"lsof": {options: `-a -b -c: -d: -i? -l -n -N -O -p: -P -R -s? -t -u: -U -v -w`,
		harmful: `-D: writes a file`},
	"journalctl": {
		options: `-a -b? -e -f -g: -k -l -m -n? -N -o: -p: -q -r -S: -t: -u: -U: -x --all --boot? --catalog
			--dmesg --disk-usage --facility= --field= --fields --follow --full --grep= --case-sensitive?
			--header --identifier= --lines? --list-boots --merge --no-full --no-hostname --no-pager --no-tail
			--output= --output-fields= --pager-end --priority= --quiet --reverse --since= --system
			--truncate-newline --unit= --until= --user --user-unit= --utc --version --help`,
		harmful: `--vacuum-size --vacuum-time --vacuum-files: deletes logs; --rotate: rotates the logs;
			--flush --sync --relinquish-var --smart-relinquish-var: makes the service write; --setup-keys: writes
			keys;
			--update-catalog: writes a file`,
	},
}

// unitOptions are harmless for the subcommands of systemctl that show something.
const unitOptions = `--no-pager --user --system -l --full -a --all -q --quiet -t: --type= --state= -p:
	--property= -P: --value -n: --lines= -o: --output= --plain --no-legend --legend= --failed --reverse --before
	--after --recursive`
