package main

import (
	"context"
	"fmt"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Registers the nodes. All of them are this process.
func (k *kubelet) register(ctx context.Context) error {
	resources := core.ResourceList{
		core.ResourceCPU:    resource.MustParse("4"),
		core.ResourceMemory: resource.MustParse("8Gi"),
		core.ResourcePods:   resource.MustParse("20"),
	}
	for index := 1; index <= k.nodes; index++ {
		name := fmt.Sprintf("node-%d", index)
		node := &core.Node{
			ObjectMeta: meta.ObjectMeta{Name: name, Labels: map[string]string{core.LabelHostname: name}},
			Status: core.NodeStatus{
				Capacity:        resources,
				Allocatable:     resources,
				Addresses:       []core.NodeAddress{{Type: core.NodeInternalIP, Address: "127.0.0.1"}},
				DaemonEndpoints: core.NodeDaemonEndpoints{KubeletEndpoint: core.DaemonEndpoint{Port: int32(k.port)}},
				Conditions: []core.NodeCondition{
					{Type: core.NodeReady, Status: core.ConditionTrue, Reason: "Ready", Message: "ready"},
				},
			},
		}
		if _, err := k.client.CoreV1().Nodes().Create(ctx, node, meta.CreateOptions{}); err != nil {
			return err
		}
	}
	return nil
}
