package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"sync"

	"golang.org/x/sys/unix"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Network of a pod: a namespace with nothing but the loopback interface. What a pod may reach listens in it, at the address
// it has outside, and is passed on. So nothing leaves the loopback interface of this machine.
type network struct {
	namespace *os.File
	mutex     sync.Mutex
	listeners []net.Listener
}

// Makes a namespace in which a pod reaches the addresses of the options and the services that there are by now. A port that
// the pod itself listens on stays free.
func (k *kubelet) network(spec *core.Pod) (*network, error) {
	own := map[int32]bool{}
	for _, port := range spec.Spec.Containers[0].Ports {
		own[port.ContainerPort] = true
	}
	made := &network{}
	err := onThread(func() error {
		if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
			return err
		}
		var err error
		if made.namespace, err = os.Open(fmt.Sprintf("/proc/self/task/%d/ns/net", unix.Gettid())); err != nil {
			return err
		}
		return loopbackUp()
	})
	if err != nil {
		return nil, err
	}
	for _, address := range k.reach {
		if err := made.pass(address, func() (net.Conn, error) { return net.Dial("tcp", address) }); err != nil {
			return nil, err
		}
	}
	addresses, err := k.services(context.Background())
	if err != nil {
		return nil, err
	}
	for _, one := range addresses {
		if own[one.port] {
			continue
		}
		if err := made.pass(one.address(), func() (net.Conn, error) { return k.dial(one.service, int(one.port)) }); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// A port of a service.
type servicePort struct {
	service core.Service
	port    int32
}

func (s servicePort) address() string {
	return net.JoinHostPort(s.service.Spec.ClusterIP, fmt.Sprint(s.port))
}

// The ports of all services that select pods.
func (k *kubelet) services(ctx context.Context) (ports []servicePort, err error) {
	list, err := k.client.CoreV1().Services("").List(ctx, meta.ListOptions{})
	if err != nil {
		return nil, err
	}
	for _, service := range list.Items {
		for _, port := range service.Spec.Ports {
			if len(service.Spec.Selector) > 0 {
				ports = append(ports, servicePort{service, port.Port})
			}
		}
	}
	return ports, nil
}

// Lets programs of this machine reach the services, as a node would: the operator asks the runners itself.
func (k *kubelet) offerServices(ctx context.Context) error {
	ports, err := k.services(ctx)
	if err != nil {
		return err
	}
	there := map[string]servicePort{}
	for _, one := range ports {
		there[string(one.service.UID)+one.address()] = one
	}
	for key, listener := range k.offered {
		if _, found := there[key]; !found {
			_ = listener.Close()
			delete(k.offered, key)
		}
	}
	for key, one := range there {
		if k.offered[key] != nil {
			continue
		}
		listener, err := net.Listen("tcp", one.address())
		if err != nil {
			return err
		}
		k.offered[key] = listener
		go accept(listener, func() (net.Conn, error) { return k.dial(one.service, int(one.port)) })
	}
	return nil
}

// Connects to a running pod of a service.
func (k *kubelet) dial(service core.Service, port int) (net.Conn, error) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	for _, one := range k.pods {
		isOf := one.spec.Namespace == service.Namespace && one.net != nil
		for key, value := range service.Spec.Selector {
			isOf = isOf && one.spec.Labels[key] == value
		}
		if !isOf {
			continue
		}
		var connection net.Conn
		err := one.net.do(func() error {
			var err error
			connection, err = net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
			return err
		})
		return connection, err
	}
	return nil, fmt.Errorf("no pod of service %s", service.Name)
}

// Does something in the namespace.
func (n *network) do(work func() error) error {
	return onThread(func() error {
		if err := unix.Setns(int(n.namespace.Fd()), unix.CLONE_NEWNET); err != nil {
			return err
		}
		return work()
	})
}

// Does something on a thread of its own that nobody uses afterwards.
func onThread(work func() error) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		done <- work()
	}()
	return <-done
}

func (n *network) pass(address string, dial func() (net.Conn, error)) error {
	var listener net.Listener
	err := n.do(func() (err error) {
		listener, err = net.Listen("tcp", address)
		return err
	})
	if err != nil {
		return err
	}
	n.mutex.Lock()
	n.listeners = append(n.listeners, listener)
	n.mutex.Unlock()
	go accept(listener, dial)
	return nil
}

// Passes on what comes in until the listener is closed.
func accept(listener net.Listener, dial func() (net.Conn, error)) {
	for {
		inside, err := listener.Accept()
		if err != nil {
			return
		}
		go join(inside, dial)
	}
}

func join(inside net.Conn, dial func() (net.Conn, error)) {
	defer inside.Close()
	outside, err := dial()
	if err != nil {
		return
	}
	defer outside.Close()
	go func() {
		_, _ = io.Copy(outside, inside)
		_ = outside.(*net.TCPConn).CloseWrite()
	}()
	_, _ = io.Copy(inside, outside)
}

func (n *network) close() {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for _, listener := range n.listeners {
		_ = listener.Close()
	}
}

func loopbackUp() error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, request)
}
