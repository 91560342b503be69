package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/third_party/forked/golang/expansion"
)

// Makes the file system of a pod: the programs of this machine and the k6 of the image, and the volumes where they are mounted.
func (k *kubelet) prepare(one *pod) error {
	home := filepath.Join(k.home, string(one.spec.UID))
	one.root = filepath.Join(home, "root")
	var err error
	if one.env, err = k.environment(one.spec); err != nil {
		return err
	}
	if err := k.image(one.root); err != nil {
		return err
	}
	for _, mount := range one.spec.Spec.Containers[0].VolumeMounts {
		source, err := k.volume(one.spec, mount.Name, home)
		if err != nil {
			return err
		}
		if err := bind(source, filepath.Join(one.root, mount.MountPath), mount.ReadOnly); err != nil {
			return err
		}
	}
	if one.net == nil {
		one.net, err = k.network(one.spec)
	}
	return err
}

// What the stock image has: a shell and its tools, k6, and the cgroup of the container.
func (k *kubelet) image(root string) error {
	if _, err := os.Stat(root); err == nil {
		return nil
	}
	for _, folder := range []string{"usr/bin", "machine", "etc", "proc", "dev", "tmp", "sys/fs/cgroup"} {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			return err
		}
	}
	if err := os.Chmod(filepath.Join(root, "tmp"), 0o1777); err != nil {
		return err
	}
	for path, target := range map[string]string{"bin": "usr/bin", "lib": "machine/lib", "lib64": "machine/lib64", "usr/lib": "../machine/lib"} {
		if err := os.Symlink(target, filepath.Join(root, path)); err != nil {
			return err
		}
	}
	programs, err := os.ReadDir("/usr/bin")
	if err != nil {
		return err
	}
	for _, program := range programs {
		if program.Name() != "k6" {
			_ = os.Symlink("/machine/bin/"+program.Name(), filepath.Join(root, "usr/bin", program.Name()))
		}
	}
	if err := os.WriteFile(filepath.Join(root, "usr/bin/k6"), nil, 0o755); err != nil {
		return err
	}
	// Nothing limits the container, so nothing throttles it.
	for name, text := range map[string]string{"cpu.max": "200000 100000\n", "cpu.stat": "throttled_usec 0\n"} {
		if err := os.WriteFile(filepath.Join(root, "sys/fs/cgroup", name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	for source, place := range map[string]string{
		"/usr": "machine", "/proc": "proc", "/dev": "dev", "/etc/alternatives": "etc/alternatives", k.k6: "usr/bin/k6",
	} {
		if err := bind(source, filepath.Join(root, place), place != "dev"); err != nil {
			return err
		}
	}
	return nil
}

func bind(source, place string, isReadOnly bool) error {
	if info, err := os.Stat(source); err != nil {
		return err
	} else if info.IsDir() {
		if err := os.MkdirAll(place, 0o755); err != nil {
			return err
		}
	}
	if err := syscall.Mount(source, place, "", syscall.MS_BIND, ""); err != nil {
		return fmt.Errorf("%s: %w", place, err)
	}
	if !isReadOnly {
		return nil
	}
	return syscall.Mount("", place, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
}

// The folder of a volume: of a ConfigMap, or of the volume that a claim is bound to.
func (k *kubelet) volume(spec *core.Pod, name, home string) (string, error) {
	ctx := context.Background()
	for _, volume := range spec.Spec.Volumes {
		switch {
		case volume.Name != name:
		case volume.ConfigMap != nil:
			found, err := k.client.CoreV1().ConfigMaps(spec.Namespace).Get(ctx, volume.ConfigMap.Name, meta.GetOptions{})
			if err != nil {
				return "", err
			}
			return filled(filepath.Join(home, "volumes", name), found.Data, volume.ConfigMap.DefaultMode)
		case volume.PersistentVolumeClaim != nil:
			claim, err := k.client.CoreV1().PersistentVolumeClaims(spec.Namespace).Get(ctx, volume.PersistentVolumeClaim.ClaimName, meta.GetOptions{})
			if err != nil {
				return "", err
			}
			bound, err := k.client.CoreV1().PersistentVolumes().Get(ctx, claim.Spec.VolumeName, meta.GetOptions{})
			if err != nil {
				return "", err
			}
			return bound.Spec.HostPath.Path, ownedBy(bound.Spec.HostPath.Path, spec.Spec.SecurityContext)
		}
	}
	return "", fmt.Errorf("no volume %s of a kind that this stand-in knows", name)
}

func filled(folder string, data map[string]string, mode *int32) (string, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	for name, text := range data {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), os.FileMode(*mode)); err != nil {
			return "", err
		}
	}
	return folder, nil
}

// A volume belongs to root, and to the group of the pod where it names one.
func ownedBy(path string, security *core.PodSecurityContext) error {
	if security == nil || security.FSGroup == nil {
		return nil
	}
	if err := os.Chown(path, 0, int(*security.FSGroup)); err != nil {
		return err
	}
	return os.Chmod(path, 0o2775|os.ModeSetgid)
}

// Puts in $(NAME), as the kubelet does.
func expand(text string, env []string) string {
	values := map[string]string{}
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		values[name] = value
	}
	return expansion.Expand(text, expansion.MappingFuncFor(values))
}
