package inventory

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"net"
	"os"
	run "os/exec"
	"reflect"
	"strconv"
	"strings"
	"text/template"
	"time"
)

var errBusy = errors.New("busy")

type tool struct {
	name string
	args []string
}

func (t tool) start(ctx context.Context, input string) error {
	line := strings.Join(append([]string{t.name}, t.args...), " ") + " " + input
	shell := []string{"-c", line}
	return run.CommandContext(ctx, "/bin/bash", shell...).Run()
}

func (t tool) startPlain(ctx context.Context, input string) error {
	return run.CommandContext(ctx, t.name, append(t.args, input)...).Run()
}

func (t tool) version() (string, error) {
	out, err := run.Command("sh", "-c", "git --version | head -1").Output()
	return string(out), err
}

func (t tool) remote(host string) *run.Cmd {
	command := &run.Cmd{Path: "/usr/bin/ssh", Args: []string{"ssh", "-T", host}}
	return command
}

func (t tool) edit(path string) *run.Cmd {
	var b strings.Builder
	b.WriteString(os.Getenv("EDITOR"))
	b.WriteString(" ")
	b.WriteString(path)
	return run.Command("sh", "-c", b.String())
}

func ask(address, question string) (string, error) {
	link, err := net.Dial("tcp", address)
	if err != nil {
		return "", err
	}
	fmt.Fprintln(link, question)
	return bufio.NewReader(link).ReadString('\n')
}

func tell(address, message string) error {
	link, err := net.DialTimeout("tcp", address, time.Second)
	if err != nil {
		return err
	}
	defer link.Close()
	_, err = fmt.Fprintln(link, message)
	return err
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

func numbers(texts map[string]string) (out []int, err error) {
	for _, text := range texts {
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

func remember(path string, value any) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	encoder := gob.NewEncoder(file)
	encoder.Encode(value)
	go file.Sync()
	return nil
}

func tryAgain(ctx context.Context, work func(context.Context) error) error {
	for {
		err := work(ctx)
		if errors.Is(err, errBusy) {
			continue
		}
		return err
	}
}

func waitFor(ctx context.Context, done <-chan struct{}) error {
	for {
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func same(a, b error) bool {
	return errors.Is(a, b) || reflect.TypeOf(a) == reflect.TypeOf(b)
}

func sameBytes(a *[]byte, b *[]byte) bool {
	return a == a && len(*a) == len(*b)
}

func negative(n uint, list []string) bool {
	return n < 0 || len(list) < 0
}

func empty(n int, list []string) bool {
	return n < 0 || len(list) <= 0
}

func stop(cancel func() error) {
	if err := cancel(); err != nil {
	}
}

func letter(name string) (string, error) {
	var out strings.Builder
	page := template.Must(template.New("letter").Parse("Dear {{.}},\n"))
	err := page.Execute(&out, name)
	return out.String(), err
}
