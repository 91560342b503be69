package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os/exec"
	"sync"
	"time"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// The kubelets of all nodes.
type kubelet struct {
	options
	client *kubernetes.Clientset
	mutex  sync.Mutex
	pods   map[string]*pod
	// Listeners of services on this machine, by service and address.
	offered map[string]net.Listener
}

// A pod that was begun.
type pod struct {
	spec  *core.Pod
	net   *network
	root  string
	env   []string
	mutex sync.Mutex
	// The container while it runs.
	command  *exec.Cmd
	isKilled bool
	done     chan struct{}
	// Closed when the container has ended.
	ended chan struct{}
}

// Begins pods that were bound to a node, and ends those that are deleted.
func (k *kubelet) look(ctx context.Context) error {
	list, err := k.client.CoreV1().Pods("").List(ctx, meta.ListOptions{FieldSelector: "spec.nodeName!="})
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for index := range list.Items {
		spec := &list.Items[index]
		uid := string(spec.UID)
		there[uid] = true
		k.mutex.Lock()
		one := k.pods[uid]
		if one == nil && spec.DeletionTimestamp == nil && spec.Status.Phase == core.PodPending {
			one = &pod{spec: spec, done: make(chan struct{}), ended: make(chan struct{})}
			k.pods[uid] = one
			go k.run(one)
		}
		k.mutex.Unlock()
		// A node that is lost hears of nothing: its containers run on.
		if spec.DeletionTimestamp != nil && spec.Annotations["test/lost"] == "" {
			go k.remove(spec, one)
		}
	}
	k.mutex.Lock()
	defer k.mutex.Unlock()
	for uid, one := range k.pods {
		// Deleted by force: nobody asked us.
		if !there[uid] {
			go one.kill(0)
			delete(k.pods, uid)
		}
	}
	return nil
}

// Runs the one container of a pod until it ends, and says each step.
func (k *kubelet) run(one *pod) {
	defer close(one.done)
	for {
		err := k.prepare(one)
		if err == nil {
			break
		}
		k.say(one, core.PodPending, core.ContainerState{
			Waiting: &core.ContainerStateWaiting{Reason: "CreateContainerConfigError", Message: err.Error()},
		}, false)
		time.Sleep(time.Second)
		if one.killed() {
			return
		}
	}
	command, err := k.start(one)
	if err != nil {
		k.say(one, core.PodFailed, ended(128, "StartError", err.Error()), false)
		return
	}
	running := core.ContainerState{Running: &core.ContainerStateRunning{StartedAt: meta.Now()}}
	probe := one.spec.Spec.Containers[0].ReadinessProbe
	k.say(one, core.PodRunning, running, probe == nil)
	if probe != nil {
		go func() {
			if k.becomesReady(one, probe.HTTPGet) {
				k.say(one, core.PodRunning, running, true)
			}
		}()
	}
	_ = command.Wait()
	close(one.ended)
	one.net.close()
	code, reason := codeOf(command)
	phase := core.PodSucceeded
	if code != 0 {
		phase = core.PodFailed
	}
	k.say(one, phase, ended(code, reason, ""), false)
}

// Asks the readiness probe until it is answered with success; false where the container ended before.
func (k *kubelet) becomesReady(one *pod, probe *core.HTTPGetAction) bool {
	dial := func(context.Context, string, string) (connection net.Conn, err error) {
		err = one.net.do(func() error {
			connection, err = net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", probe.Port.IntValue()))
			return err
		})
		return connection, err
	}
	client := http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}, Timeout: time.Second}
	for {
		select {
		case <-one.ended:
			return false
		case <-time.After(200 * time.Millisecond):
		}
		answer, err := client.Get("http://pod" + probe.Path)
		if err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode < 400 {
				return true
			}
		}
	}
}

func ended(code int, reason, message string) core.ContainerState {
	return core.ContainerState{Terminated: &core.ContainerStateTerminated{
		ExitCode: int32(code), Reason: reason, Message: message, FinishedAt: meta.Now(),
	}}
}

// Ends a pod that is deleted, and lets the API server forget it.
func (k *kubelet) remove(spec *core.Pod, one *pod) {
	if one != nil {
		if !one.kill(time.Duration(*spec.DeletionGracePeriodSeconds) * time.Second) {
			return
		}
	}
	now := int64(0)
	options := meta.DeleteOptions{GracePeriodSeconds: &now, Preconditions: meta.NewUIDPreconditions(string(spec.UID))}
	_ = k.client.CoreV1().Pods(spec.Namespace).Delete(context.Background(), spec.Name, options)
}

// Says how a pod is.
func (k *kubelet) say(one *pod, phase core.PodPhase, state core.ContainerState, isReady bool) {
	pods := k.client.CoreV1().Pods(one.spec.Namespace)
	container := one.spec.Spec.Containers[0]
	isStarted := state.Running != nil
	ready := core.ConditionFalse
	if isReady {
		ready = core.ConditionTrue
	}
	for tries := 0; tries < 20; tries++ {
		now, err := pods.Get(context.Background(), one.spec.Name, meta.GetOptions{})
		if err != nil || now.UID != one.spec.UID {
			return
		}
		// The container has ended, and this was said before it did.
		if now.Status.Phase == core.PodSucceeded || now.Status.Phase == core.PodFailed {
			return
		}
		now.Status.Phase = phase
		now.Status.HostIP, now.Status.PodIP = "127.0.0.1", "127.0.0.1"
		now.Status.PodIPs = []core.PodIP{{IP: "127.0.0.1"}}
		if now.Status.StartTime == nil {
			begun := meta.Now()
			now.Status.StartTime = &begun
		}
		conditions := []core.PodCondition{{Type: core.PodReady, Status: ready}, {Type: core.ContainersReady, Status: ready}}
		for _, condition := range now.Status.Conditions {
			if condition.Type == core.PodScheduled {
				conditions = append(conditions, condition)
			}
		}
		now.Status.Conditions = conditions
		now.Status.ContainerStatuses = []core.ContainerStatus{
			{Name: container.Name, Image: container.Image, ImageID: container.Image, Ready: isReady, Started: &isStarted, State: state},
		}
		if _, err = pods.UpdateStatus(context.Background(), now, meta.UpdateOptions{}); err == nil {
			return
		}
		log.Print(fmt.Errorf("%s: %w", one.spec.Name, err))
		time.Sleep(100 * time.Millisecond)
	}
}
