// Prints how Go prints the values of values.json, which it reads from standard input.
package main

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"runtime"
	"strconv"
	"strings"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func read(text string) any {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		panic(err)
	}
	return value
}

func float(print func(float64) string) func(string) (string, bool) {
	return func(text string) (string, bool) {
		value, is := read(text).(float64)
		if !is {
			return "", false
		}
		return print(value), true
	}
}

func all(print func(any) string) func(string) (string, bool) {
	return func(text string) (string, bool) { return print(read(text)), true }
}

func unescaped(value any) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func main() {
	var values map[string]string
	if err := json.NewDecoder(os.Stdin).Decode(&values); err != nil {
		panic(err)
	}
	printers := map[string]func(string) (string, bool){
		"fmt.Sprint(value)":                        all(func(value any) string { return fmt.Sprint(value) }),
		"fmt.Sprintf(\"%f\", value)":               float(func(value float64) string { return fmt.Sprintf("%f", value) }),
		"fmt.Sprintf(\"%.2f\", value)":             float(func(value float64) string { return fmt.Sprintf("%.2f", value) }),
		"strconv.FormatFloat(value, 'f', -1, 64)":  float(func(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }),
		"json.Marshal(value)":                      all(func(value any) string { return string(must(json.Marshal(value))) }),
		"json.Encoder with SetEscapeHTML(false)":   all(unescaped),
		"UseNumber and number.String()": func(text string) (string, bool) {
			var value any
			decoder := json.NewDecoder(strings.NewReader(text))
			decoder.UseNumber()
			if err := decoder.Decode(&value); err != nil {
				panic(err)
			}
			number, is := value.(json.Number)
			return number.String(), is
		},
		"html.EscapeString(value)": func(text string) (string, bool) {
			value, is := read(text).(string)
			return html.EscapeString(value), is
		},
	}
	printed := map[string]map[string]string{}
	for name, print := range printers {
		printed[name] = map[string]string{}
		for value, text := range values {
			if out, is := print(text); is {
				printed[name][value] = out
			}
		}
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "    ")
	version := strings.TrimPrefix(runtime.Version(), "go")
	if err := encoder.Encode(struct {
		Language string                       `json:"language"`
		Version  string                       `json:"version"`
		Printers map[string]map[string]string `json:"printers"`
	}{"Go", version, printed}); err != nil {
		panic(err)
	}
}
