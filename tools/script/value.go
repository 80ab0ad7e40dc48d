package script

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/tools"
)

// What a script gets of a call: these fields and no others. The description is made of them, see [formOf].
type (
	readValue struct {
		Text       string       `json:"text"`
		TotalLines *int         `json:"totalLines,omitempty"`
		NextOffset int          `json:"nextOffset,omitempty"`
		NextColumn int          `json:"nextColumn,omitempty"`
		Cut        bool         `json:"cut,omitempty"`
		Files      []fileValue  `json:"files,omitempty"`
		Images     []imageValue `json:"images,omitempty"`
	}
	fileValue struct {
		Path       string `json:"path"`
		Text       string `json:"text"`
		NextOffset int    `json:"nextOffset,omitempty"`
		Cut        bool   `json:"cut,omitempty"`
		Error      string `json:"error,omitempty"`
	}
	imageValue struct {
		Image    int    `json:"image"` // its number in the script
		MIMEType string `json:"mimeType"`
		Bytes    int    `json:"bytes"`
	}
	bashValue struct {
		Text       string `json:"text"`
		ExitCode   int    `json:"exitCode"`
		Signal     string `json:"signal,omitempty"`
		Job        int    `json:"job,omitempty"`
		Cut        bool   `json:"cut,omitempty"`
		OutputPath string `json:"outputPath,omitempty"`
		StderrPath string `json:"stderrPath,omitempty"`
	}
	grepValue struct {
		Text       string      `json:"text"`
		Lines      []grepLine  `json:"lines"`
		Matches    int         `json:"matches"`
		NextOffset int         `json:"nextOffset,omitempty"`
		Cut        bool        `json:"cut,omitempty"`
		Skipped    skippedWhat `json:"skipped,omitempty"`
	}
	grepLine struct {
		Path  string `json:"path"`
		Line  int    `json:"line,omitempty"`
		Text  string `json:"text"`
		Match bool   `json:"match"`
		Count int    `json:"count,omitempty"`
		Cut   bool   `json:"cut,omitempty"`
	}
	findValue struct {
		Text       string      `json:"text"`
		Paths      []string    `json:"paths"`
		NextOffset int         `json:"nextOffset,omitempty"`
		Cut        bool        `json:"cut,omitempty"`
		Skipped    skippedWhat `json:"skipped,omitempty"`
	}
	lsValue struct {
		Text         string      `json:"text"`
		Names        []string    `json:"names"`
		TotalEntries int         `json:"totalEntries"`
		NextOffset   int         `json:"nextOffset,omitempty"`
		Cut          bool        `json:"cut,omitempty"`
		Skipped      skippedWhat `json:"skipped,omitempty"`
	}
	changeValue struct {
		Path         string `json:"path"`
		LinesAdded   int    `json:"linesAdded"`
		LinesRemoved int    `json:"linesRemoved"`
		Created      bool   `json:"created,omitempty"`
	}
	patchValue struct {
		Files []patchedFile `json:"files"`
	}
	patchedFile struct {
		changeValue
		Removed   bool   `json:"removed,omitempty"`
		MovedFrom string `json:"movedFrom,omitempty"`
	}
	jobValue struct {
		Text string `json:"text"`
		*jobState
		Match         *jobMatch  `json:"match,omitempty"`
		WaitsForInput bool       `json:"waitsForInput,omitempty"`
		Cut           bool       `json:"cut,omitempty"`
		Jobs          []jobState `json:"jobs,omitempty"`
	}
	jobState struct {
		Job        int    `json:"job"`
		Command    string `json:"command"`
		State      string `json:"state"`
		Running    bool   `json:"running"`
		ExitCode   int    `json:"exitCode"`
		OutputPath string `json:"outputPath,omitempty"`
	}
	jobMatch struct {
		Line int    `json:"line"`
		Text string `json:"text"`
	}
	addedValue struct {
		Text       string       `json:"text"`
		Cut        bool         `json:"cut,omitempty"`
		OutputPath string       `json:"outputPath,omitempty"`
		Details    any          `json:"details,omitempty"`
		Images     []imageValue `json:"images,omitempty"`
	}
	failedValue struct {
		Text string `json:"text"`
	}
)

// values are what a script gets of the tools of the library.
var values = map[string]any{
	"read": readValue{}, "bash": bashValue{}, "grep": grepValue{}, "find": findValue{}, "ls": lsValue{},
	"write": changeValue{}, "edit": changeValue{}, "apply_patch": patchValue{}, "job": jobValue{},
}

// valueOf returns a result as a script gets it. details are those of the result, or what there is of them where the call
// failed.
func (r *run) valueOf(res tools.Result, details any) any {
	switch d := details.(type) {
	case tools.ReadResult:
		return r.readValue(d)
	case tools.BashResult:
		v := bashValue{
			Text: d.Output + d.Stderr, ExitCode: d.ExitCode, Signal: d.Signal, Job: d.Job, Cut: d.Truncated,
			OutputPath: d.FullOutputPath, StderrPath: d.FullStderrPath,
		}
		if d.Job > 0 {
			v.OutputPath = d.OutputPath
		}
		return v
	case tools.GrepResult:
		v := grepValue{Matches: d.Matches, NextOffset: d.NextOffset, Cut: d.Truncated, Skipped: skippedWhat{}}
		v.Text, v.Lines = linesOf(d.Lines)
		if v.Cut && v.NextOffset > 0 { // of the matches that were counted, some are not in lines
			v.Matches = 0
			for _, l := range v.Lines {
				if l.Match {
					v.Matches++
				}
			}
		}
		v.Skipped.add("ignored", d.Ignored).add("hidden", d.Hidden).add("refused", d.Refused).add("large", d.SkippedLarge).
			add("binary", d.SkippedBinary).add("notUTF8", d.NotUTF8).add("unreadable", d.Unreadable)
		return v
	case tools.FindResult:
		v := findValue{Paths: []string{}, NextOffset: d.NextOffset, Cut: d.Truncated, Skipped: skippedWhat{}}
		for _, entry := range d.Entries {
			v.Paths = append(v.Paths, entry.Path)
		}
		v.Text = strings.Join(v.Paths, "\n")
		v.Skipped.add("ignored", d.Ignored).add("hidden", d.Hidden).add("unreadable", d.Unreadable)
		return v
	case tools.LsResult:
		v := lsValue{
			Text: strings.Join(d.Names, "\n"), Names: append([]string{}, d.Names...), TotalEntries: d.TotalEntries,
			NextOffset: d.NextOffset, Cut: d.Truncated, Skipped: skippedWhat{},
		}
		v.Skipped.add("hidden", d.Hidden).add("unreadable", d.Unreadable)
		return v
	case tools.JobResult:
		return jobValueOf(d)
	}
	return r.otherValue(res, details)
}

// otherValue is valueOf for tools that change files, and for those that were added.
func (r *run) otherValue(res tools.Result, details any) any {
	if res.IsError {
		return failedValue{res.Text}
	}
	switch d := details.(type) {
	case tools.WriteResult:
		return changeOf(d.FileChange)
	case tools.EditResult:
		return changeOf(d.FileChange)
	case tools.ChangeResult:
		v := patchValue{Files: []patchedFile{}}
		for _, f := range d.Files {
			v.Files = append(v.Files, patchedFile{changeOf(f), f.Removed, f.MovedFrom})
		}
		return v
	case tools.TruncatedDetails:
		return addedValue{
			Text: res.Text, Cut: isCut(d), OutputPath: d.FullOutputPath, Details: d.Details, Images: r.imagesOf(res.Images),
		}
	}
	return addedValue{Text: res.Text, Details: details, Images: r.imagesOf(res.Images)}
}

// readValue returns a page, or several.
func (r *run) readValue(d tools.ReadResult) readValue {
	v := readValue{
		Text: d.Page, NextOffset: d.NextOffset, NextColumn: d.NextColumn, Cut: d.Truncated, Images: r.imagesOf(d.Images),
	}
	if d.TotalLines >= 0 && d.Image == nil && len(d.Files) == 0 {
		v.TotalLines = &d.TotalLines
	}
	for _, f := range d.Files {
		file := fileValue{Path: f.Path, Cut: f.NotShown}
		if f.Error != nil {
			file.Error = f.Error.Error()
		}
		if f.Result != nil {
			file.Text, file.NextOffset, file.Cut = f.Result.Page, f.Result.NextOffset, f.Result.Truncated
		}
		v.Text += file.Text
		v.Files = append(v.Files, file)
	}
	return v
}

func changeOf(c tools.FileChange) changeValue {
	return changeValue{Path: c.Path, LinesAdded: c.LinesAdded, LinesRemoved: c.LinesRemoved, Created: c.Created}
}

func jobValueOf(d tools.JobResult) jobValue {
	v := jobValue{Text: d.Output + d.Stderr, WaitsForInput: d.WaitsForInput, Cut: d.Truncated}
	if d.Job > 0 {
		v.jobState = new(stateOf(d.JobState))
	}
	if d.Match != nil {
		v.Match = &jobMatch{d.Match.Line, d.Match.Text}
	}
	for _, state := range d.Jobs {
		v.Jobs = append(v.Jobs, stateOf(state))
	}
	return v
}

func stateOf(s tools.JobState) jobState {
	return jobState{s.Job, s.Command, s.State, s.Running, s.ExitCode, s.OutputPath}
}

// linesOf returns the lines that grep shows as a text and as objects.
func linesOf(list []tools.GrepLine) (text string, lines []grepLine) {
	var b strings.Builder
	lines = make([]grepLine, len(list))
	for i, l := range list {
		lines[i] = grepLine{l.Path, l.Line, strings.ToValidUTF8(l.Text, "\uFFFD"), l.Match, l.Count, l.Cut}
		b.WriteString(l.Path)
		switch {
		case l.Line > 0:
			fmt.Fprintf(&b, ":%d:%s", l.Line, lines[i].Text)
		case l.Count > 0:
			fmt.Fprintf(&b, ":%d", l.Count)
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n"), lines
}

// imagesOf returns images with the numbers that they get if the result is taken.
func (r *run) imagesOf(images []tools.Image) (list []imageValue) {
	for i, img := range images {
		list = append(list, imageValue{len(r.images) + i + 1, img.MIMEType, len(img.Data)})
	}
	return list
}

// take makes of the result of a call what the script gets, or the error that it throws. All that a script gets, images
// included, is held at most once, and within MaxAllBytes.
func (r *run) take(a *answer) {
	res := a.result
	var e *tools.Error
	details := res.Details
	switch d, ok := details.(*tools.Error); {
	case ok:
		e, details = d, d.Details()
	case res.IsError:
		e = &tools.Error{Code: res.Code, Message: res.Text}
	default:
		e = r.lack(a)
	}
	v := r.valueOf(res, details)
	a.value = encode(v, e)
	taken := int64(len(a.value))
	for _, img := range res.Images {
		taken += int64(len(img.Data))
	}
	if r.received+taken > r.options.MaxAllBytes {
		e = &tools.Error{Code: tools.CodeTooLarge, Message: fmt.Sprintf("the results of the calls of this script, pictures "+
			"included, are over %s together. Use limit, offset or a glob, or make several scripts",
			size.Format(r.options.MaxAllBytes))}
		a.value = encode(nil, e)
	} else {
		r.received += taken
		r.images = append(r.images, res.Images...)
		r.skips.note(a.id, v)
	}
	if a.failed = e != nil; a.failed {
		r.failed[a.id] = failedCall{lineOf(a.at), a.tool, shortly(e.Error())}
	}
	a.result = tools.Result{} // the engine has a copy
}

// encode returns what a script gets of a call: v, or an error with v as details.
func encode(v any, e *tools.Error) []byte {
	whole := v
	if e != nil {
		whole = map[string]any{"code": e.Code, "message": fmt.Sprintf("%s: %s", e.Code, e.Message), "details": v}
	}
	encoded, err := json.Marshal(whole)
	if err != nil { // details of an added tool that are no JSON
		said := "internal: the result is not JSON: " + err.Error()
		encoded, _ = json.Marshal(map[string]any{"code": tools.CodeInternal, "message": said})
	}
	return encoded
}
