package main

import (
	"context"
	"fmt"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The environment of the container: that of the image, and what the pod says, which may name what stands above it.
func (k *kubelet) environment(spec *core.Pod) ([]string, error) {
	env := []string{"HOME=/home/k6", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
	for _, one := range spec.Spec.Containers[0].Env {
		value, err := k.valueOf(spec, one)
		if err != nil {
			return nil, err
		}
		env = append(env, one.Name+"="+expand(value, env))
	}
	return last(env), nil
}

// Of two of one name, the last holds.
func last(env []string) []string {
	at := map[string]int{}
	kept := []string{}
	for _, entry := range env {
		name := entry[:indexOf(entry)]
		if before, found := at[name]; found {
			kept[before] = entry
			continue
		}
		at[name] = len(kept)
		kept = append(kept, entry)
	}
	return kept
}

func indexOf(entry string) int {
	for at, sign := range entry {
		if sign == '=' {
			return at
		}
	}
	return len(entry)
}

func (k *kubelet) valueOf(spec *core.Pod, one core.EnvVar) (string, error) {
	from := one.ValueFrom
	switch {
	case from == nil:
		return one.Value, nil
	case from.SecretKeyRef != nil:
		secret, err := k.client.CoreV1().Secrets(spec.Namespace).Get(context.Background(), from.SecretKeyRef.Name, meta.GetOptions{})
		if err != nil {
			return "", err
		}
		value, found := secret.Data[from.SecretKeyRef.Key]
		if !found {
			return "", fmt.Errorf("couldn't find key %s in Secret %s", from.SecretKeyRef.Key, from.SecretKeyRef.Name)
		}
		return string(value), nil
	case from.FieldRef != nil && from.FieldRef.FieldPath == "metadata.name":
		return spec.Name, nil
	case from.FieldRef != nil && from.FieldRef.FieldPath == "spec.nodeName":
		return spec.Spec.NodeName, nil
	}
	return "", fmt.Errorf("%s: a source that this stand-in does not know", one.Name)
}
