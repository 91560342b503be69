// Command kubelet is a stand-in for the kubelets of a small cluster, for `npm run test:cluster`. It registers nodes, runs the
// commands of their pods exactly as they are written, and answers `kubectl exec`. A pod has a file system, a user and a
// network namespace of its own; it has no limits of processor and memory, and its probes are not asked. Needs root.
package main

import (
	"context"
	"errors"
	"flag"
	"log"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

// Options of the command.
type options struct {
	kubeconfig, home, k6 string
	nodes, port          int
	reach                []string
}

func parse() options {
	var o options
	var reach string
	flag.StringVar(&o.kubeconfig, "kubeconfig", "", "how the API server is reached")
	flag.StringVar(&o.home, "home", "", "folder for the files of the pods")
	flag.StringVar(&o.k6, "k6", "", "k6 of the image")
	flag.IntVar(&o.nodes, "nodes", 3, "number of nodes")
	flag.IntVar(&o.port, "port", 10250, "port for the API server, on 127.0.0.1")
	flag.StringVar(&reach, "reach", "", "addresses on this machine that pods reach, host:port, separated by commas")
	flag.Parse()
	o.reach = strings.FieldsFunc(reach, func(sign rune) bool { return sign == ',' })
	return o
}

// A mount of a pod must not outlive this process: it starts itself again in a mount namespace of its own.
func inOwnMounts() {
	if os.Getenv("KUBELET_OWN_MOUNTS") != "" {
		return
	}
	self := exec.Command("/proc/self/exe", os.Args[1:]...)
	self.Env = append(os.Environ(), "KUBELET_OWN_MOUNTS=1")
	self.Stdout, self.Stderr = os.Stdout, os.Stderr
	self.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGTERM}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	if err := self.Start(); err != nil {
		log.Fatal(err)
	}
	go func() { _ = self.Process.Signal(<-signals) }()
	_ = self.Wait()
	os.Exit(self.ProcessState.ExitCode())
}

func main() {
	inOwnMounts()
	o := parse()
	config, err := clientcmd.BuildConfigFromFlags("", o.kubeconfig)
	if err != nil {
		log.Fatal(err)
	}
	config.QPS, config.Burst = 100, 200
	client := kubernetes.NewForConfigOrDie(config)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	k := &kubelet{options: o, client: client, pods: map[string]*pod{}, offered: map[string]net.Listener{}}
	if err := k.register(ctx); err != nil {
		log.Fatal(err)
	}
	go k.serve()
	for ctx.Err() == nil {
		if err := errors.Join(k.look(ctx), k.offerServices(ctx)); err != nil && ctx.Err() == nil {
			log.Print(err)
		}
		time.Sleep(200 * time.Millisecond)
	}
	k.killAll()
}
