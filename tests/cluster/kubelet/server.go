package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/util/cert"
	streams "k8s.io/kubelet/pkg/cri/streaming/remotecommand"
	"k8s.io/utils/exec"
)

// Answers the API server: `kubectl exec` and `kubectl logs`, of pods that run.
func (k *kubelet) serve() {
	certificate, key, err := cert.GenerateSelfSignedCertKey("127.0.0.1", nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		log.Fatal(err)
	}
	server := http.Server{
		Addr:      fmt.Sprintf("127.0.0.1:%d", k.port),
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}},
		Handler:   http.HandlerFunc(k.answer),
	}
	log.Fatal(server.ListenAndServeTLS("", ""))
}

func (k *kubelet) answer(response http.ResponseWriter, request *http.Request) {
	parts := strings.Split(strings.Trim(request.URL.Path, "/"), "/")
	if len(parts) != 4 {
		http.NotFound(response, request)
		return
	}
	one := k.podNamed(parts[1], parts[2])
	switch {
	case one == nil:
		http.NotFound(response, request)
	case parts[0] == "containerLogs":
		http.ServeFile(response, request, filepath.Join(filepath.Dir(one.root), "log"))
	case parts[0] == "exec":
		options, err := streams.NewOptions(request)
		if err != nil {
			http.Error(response, err.Error(), http.StatusBadRequest)
			return
		}
		run := executor{k, one}
		argv := request.Form["command"]
		streams.ServeExec(response, request, run, parts[2], "", parts[3], argv, options, 5*time.Minute, 30*time.Second, streamProtocols)
	default:
		http.NotFound(response, request)
	}
}

var streamProtocols = []string{"v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io"}

func (k *kubelet) podNamed(namespace, name string) *pod {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	for _, one := range k.pods {
		if one.spec.Namespace == namespace && one.spec.Name == name {
			return one
		}
	}
	return nil
}

type executor struct {
	kubelet *kubelet
	pod     *pod
}

// Runs a command beside the container.
func (e executor) ExecInContainer(_ context.Context, _ string, _ types.UID, _ string, argv []string, in io.Reader, out, errs io.WriteCloser, _ bool, _ <-chan remotecommand.TerminalSize, _ time.Duration) error {
	command := e.kubelet.commandOf(e.pod, argv)
	command.Stdin = in
	// Nil interfaces only: a stream that was not asked for is a nil pointer of a type.
	if out != nil {
		command.Stdout = out
	}
	if errs != nil {
		command.Stderr = errs
	}
	if command.Stdin == nil {
		null, err := os.Open(os.DevNull)
		if err != nil {
			return err
		}
		defer null.Close()
		command.Stdin = null
	}
	if err := e.pod.net.do(command.Start); err != nil {
		return err
	}
	if err := command.Wait(); err != nil {
		code, _ := codeOf(command)
		return exec.CodeExitError{Err: err, Code: code}
	}
	return nil
}
