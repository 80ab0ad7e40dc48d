package gitdir

import (
	"cmp"
	"context"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Settings holds git's configuration for ignoring files.
type Settings struct {
	ExcludesFile string // an absolute path, or ""
	IgnoreCase   bool
	// Converts says that git may store other bytes than a file has, because of core.autocrlf, or of attributes in a
	// file outside of the work tree.
	Converts bool
	// OpenExcludes opens ExcludesFile. It is confined to the repository if that named the file.
	OpenExcludes func(path string) (*os.File, error)
	// Outside are the first files that git reads because the repository says so, but that are not read here because
	// they are elsewhere.
	Outside []string
}

const maxOutside = 10

// Limits on the configuration that is read for one repository, including the user's files. git limits only the depth;
// but if a file includes itself in ten lines, it is read ten to the power of that depth times.
const (
	maxIncludes    = 10      // how deep files may include each other; git fails there
	maxConfigFiles = 100     // in all; people have a handful
	maxConfig      = 8 << 20 // bytes in all; git would be slow long before
	maxCondition   = 4096    // bytes of an includeIf; no path that it could match is longer
)

// Matcher reports whether a pattern in the syntax of gitignore matches a whole path, without regard to case if fold is
// set. Neither begins with a slash.
type Matcher func(pattern, path string, fold bool) bool

// Settings reads the configuration that applies in the work tree. match is for the conditions of
// includeIf.
func (r *Repository) Settings(ctx context.Context, match Matcher) Settings {
	s := settingsReader{repo: r, match: match, files: maxConfigFiles, bytes: maxConfig, open: openAnywhere}
	configs, excludes := userFiles()
	s.setExcludes(excludes)
	for _, path := range configs {
		s.read(ctx, path, 0)
	}
	if r.Own != "" {
		s.confined, s.open = true, r.OpenFile
		s.read(ctx, filepath.Join(r.Common, "config"), 0)
		if s.perWorktree {
			s.read(ctx, filepath.Join(r.Own, "config.worktree"), 0)
		}
		s.confined, s.open = false, openAnywhere
	}
	s.readEnvironment()
	if s.elsewhere != "" {
		s.leaveOut(s.elsewhere)
	}
	attributes := []string{"/etc/gitattributes", filepath.Join(r.Common, "info", "attributes")}
	if excludes != "" { // where git looks for the user's, too
		attributes = append(attributes, filepath.Join(filepath.Dir(excludes), "attributes"))
	}
	s.Converts = s.Converts || s.attributes || slices.ContainsFunc(attributes, exists)
	return s.Settings
}

// userFiles returns the configuration files outside of the repository in the order of reading, where later ones win,
// and the excludes file if they name none.
func userFiles() (configs []string, excludes string) {
	if !truth(os.Getenv("GIT_CONFIG_NOSYSTEM")) {
		system, ok := os.LookupEnv("GIT_CONFIG_SYSTEM")
		if !ok {
			system = "/etc/gitconfig"
		}
		configs = append(configs, system)
	}
	home, dir := homeDir(), os.Getenv("XDG_CONFIG_HOME")
	if dir == "" && home != "" {
		dir = filepath.Join(home, ".config")
	}
	if dir != "" {
		excludes = filepath.Join(dir, "git", "ignore")
	}
	if global, ok := os.LookupEnv("GIT_CONFIG_GLOBAL"); ok {
		return append(configs, global), excludes
	}
	if dir != "" {
		configs = append(configs, filepath.Join(dir, "git", "config"))
	}
	if home != "" {
		configs = append(configs, filepath.Join(home, ".gitconfig"))
	}
	return configs, excludes
}

// homeDir prefers $HOME on every system, like git for Windows.
func homeDir() string {
	if home := os.Getenv("HOME"); home != "" {
		return home
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return home
}

// settingsReader collects settings from one file after the other.
type settingsReader struct {
	Settings
	repo        *Repository
	match       Matcher
	confined    bool // the repository's own configuration is being read
	open        opener
	files       int    // how many more may be read
	bytes       int    // how many more may be read
	perWorktree bool   // extensions.worktreeConfig
	attributes  bool   // core.attributesFile
	elsewhere   string // the excludes file, if the repository names one that it may not refer to; else ""
}

// read reads a configuration file, and included files at their places. A file that cannot be read sets nothing.
func (r *settingsReader) read(ctx context.Context, path string, depth int) {
	if depth > maxIncludes || r.files == 0 || ctx.Err() != nil {
		return
	}
	r.files--
	content, err := read(r.open, path, r.bytes)
	if err != nil {
		return
	}
	r.bytes -= len(content)
	parseConfig(content, func(section, key, value string) bool {
		condition, conditional := strings.CutPrefix(section, "includeif.")
		if key == "path" && (section == "include" || conditional && r.holds(condition, filepath.Dir(path))) {
			r.include(ctx, path, value, depth)
		} else {
			r.set(section, key, value)
		}
		return ctx.Err() == nil
	})
}

// include reads a file that the file at path includes.
func (r *settingsReader) include(ctx context.Context, path, value string, depth int) {
	file := r.expandHome(value)
	if file != "" {
		file = resolve(filepath.Dir(path), file)
	}
	switch {
	case r.confined && (file == "" || !r.repo.holds(file)):
		r.leaveOut(cmp.Or(file, value))
	case file != "":
		r.read(ctx, file, depth+1)
	}
}

// leaveOut records a file that git reads.
func (r *settingsReader) leaveOut(file string) {
	if file != "" && len(r.Outside) < maxOutside && !slices.Contains(r.Outside, file) {
		r.Outside = append(r.Outside, file)
	}
}

func (r *settingsReader) set(section, key, value string) {
	switch {
	case section == "core" && key == "excludesfile":
		value = strings.TrimPrefix(value, ":(optional)")
		if file := r.expandHome(value); file != "" || value == "" {
			r.setExcludes(file)
		} else if r.confined {
			r.ExcludesFile, r.elsewhere = "", value
		}
	case section == "core" && key == "ignorecase":
		r.IgnoreCase = truth(value)
	case section == "core" && key == "autocrlf":
		r.Converts = truth(value) || strings.EqualFold(value, "input")
	case section == "core" && key == "attributesfile":
		r.attributes = value != ""
	case section == "extensions" && key == "worktreeconfig":
		r.perWorktree = truth(value)
	}
}

// setExcludes sets the excludes file; "" is none. A relative path is in the work tree, and is always opened confined
// to the repository, even if the user's configuration names it.
func (r *settingsReader) setExcludes(file string) {
	file = filepath.FromSlash(file)
	open := r.open
	if file != "" && !filepath.IsAbs(file) {
		file, open = filepath.Join(r.repo.Root, file), r.repo.OpenFile
	}
	if r.elsewhere = ""; r.confined && file != "" && !r.repo.holds(file) {
		r.elsewhere, file = file, "" // git takes it for the user's
	}
	r.ExcludesFile, r.OpenExcludes = file, open
}

// readEnvironment reads the settings in the environment: GIT_CONFIG_COUNT pairs, such as
// GIT_CONFIG_KEY_0 and GIT_CONFIG_VALUE_0.
func (r *settingsReader) readEnvironment() {
	count, err := strconv.Atoi(os.Getenv("GIT_CONFIG_COUNT"))
	if err != nil {
		return
	}
	for i := range count {
		name, ok := os.LookupEnv("GIT_CONFIG_KEY_" + strconv.Itoa(i))
		if !ok {
			return
		}
		section, key, _ := strings.Cut(strings.ToLower(name), ".")
		r.set(section, key, os.Getenv("GIT_CONFIG_VALUE_"+strconv.Itoa(i)))
	}
}

// holds reports whether the condition of an includeIf section holds. It knows conditions on the path of the git
// directory, but not those on branches and remotes.
func (r *settingsReader) holds(condition, configDir string) bool {
	kind, pattern, _ := strings.Cut(condition, ":")
	fold := kind == "gitdir/i"
	if r.repo.Own == "" || len(pattern) > maxCondition || pattern == "" || kind != "gitdir" && !fold {
		return false
	}
	pattern = filepath.ToSlash(r.expandHome(pattern))
	if rest, ok := strings.CutPrefix(pattern, "./"); ok {
		pattern = filepath.ToSlash(configDir) + "/" + rest
	} else if !filepath.IsAbs(filepath.FromSlash(pattern)) {
		pattern = "**/" + pattern
	}
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	path := strings.TrimPrefix(filepath.ToSlash(r.repo.Own), "/")
	return r.match(strings.TrimPrefix(pattern, "/"), path, fold)
}

// expandHome replaces "~" and "~user" at the start of a path. It returns "" if the home directory is unknown, or if
// the repository names a user, because looking one up may need the network.
func (r *settingsReader) expandHome(path string) string {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok {
		return path
	}
	name, rest, _ := strings.Cut(rest, "/")
	home := homeDir()
	switch {
	case name != "" && r.confined:
		return ""
	case name != "":
		u, err := user.Lookup(name)
		if err != nil {
			return ""
		}
		home = u.HomeDir
	}
	if home == "" {
		return ""
	}
	// filepath.Join would remove a slash at the end, which matters in a condition.
	return strings.TrimRight(home, "/") + "/" + rest
}

// truth reads a boolean as git does.
func truth(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on":
		return true
	}
	n, err := strconv.Atoi(value)
	return err == nil && n != 0
}
