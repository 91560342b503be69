package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Stops the container: SIGTERM, and SIGKILL when the time is over. False where somebody else is stopping it already.
func (one *pod) kill(grace time.Duration) bool {
	one.mutex.Lock()
	if one.isKilled {
		one.mutex.Unlock()
		return false
	}
	one.isKilled = true
	command := one.command
	one.mutex.Unlock()
	if command != nil {
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGTERM)
		select {
		case <-one.done:
		case <-time.After(grace):
			_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
		}
	}
	<-one.done
	return true
}

func (one *pod) killed() bool {
	one.mutex.Lock()
	defer one.mutex.Unlock()
	return one.isKilled
}

func (k *kubelet) killAll() {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	for _, one := range k.pods {
		one.mutex.Lock()
		if one.command != nil {
			_ = syscall.Kill(-one.command.Process.Pid, syscall.SIGKILL)
		}
		one.mutex.Unlock()
	}
}

// The command as the container's user, in its file system and network.
func (k *kubelet) commandOf(one *pod, argv []string) *exec.Cmd {
	security := one.spec.Spec.SecurityContext
	user, group := uint32(*security.RunAsUser), uint32(*security.RunAsGroup)
	credential := &syscall.Credential{Uid: user, Gid: group}
	if security.FSGroup != nil {
		credential.Groups = []uint32{uint32(*security.FSGroup)}
	}
	// A program without a slash is looked for on the PATH of the container.
	program := argv[0]
	if !strings.Contains(program, "/") {
		program = one.lookUp(program)
	}
	return &exec.Cmd{
		Path:        program,
		Args:        argv,
		Env:         one.env,
		Dir:         "/",
		SysProcAttr: &syscall.SysProcAttr{Chroot: one.root, Credential: credential, Setpgid: true},
	}
}

func (one *pod) lookUp(program string) string {
	for _, entry := range one.env {
		paths, isPath := strings.CutPrefix(entry, "PATH=")
		if !isPath {
			continue
		}
		for _, folder := range strings.Split(paths, ":") {
			if _, err := os.Lstat(filepath.Join(one.root, folder, program)); err == nil {
				return filepath.Join(folder, program)
			}
		}
	}
	return program
}

func (k *kubelet) start(one *pod) (*exec.Cmd, error) {
	container := one.spec.Spec.Containers[0]
	argv := []string{}
	for _, word := range append(container.Command, container.Args...) {
		argv = append(argv, expand(word, one.env))
	}
	output, err := os.Create(filepath.Join(filepath.Dir(one.root), "log"))
	if err != nil {
		return nil, err
	}
	defer output.Close()
	command := k.commandOf(one, argv)
	command.Stdout, command.Stderr = output, output
	one.mutex.Lock()
	defer one.mutex.Unlock()
	if one.isKilled {
		return nil, fmt.Errorf("deleted before it began")
	}
	if err := one.net.do(command.Start); err != nil {
		return nil, err
	}
	one.command = command
	return command, nil
}

// Exit code and reason, as a container runtime tells them.
func codeOf(command *exec.Cmd) (int, string) {
	status := command.ProcessState.Sys().(syscall.WaitStatus)
	switch {
	case status.Signaled():
		return 128 + int(status.Signal()), "Error"
	case status.ExitStatus() != 0:
		return status.ExitStatus(), "Error"
	}
	return 0, "Completed"
}
