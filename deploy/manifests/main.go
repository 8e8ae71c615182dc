// Command manifests reads manifests of Kubernetes into the types that the API server and KEDA
// read them into, strictly: a field that there is not, one that is there twice, or a value of
// another type is told with the file and the object.
//
//	go run . FILE...
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	keda "github.com/kedacore/keda/v2/apis/keda/v1alpha1"
	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	strict "sigs.k8s.io/yaml"
)

// kinds are the objects that manifests may have.
var kinds = map[string]func() any{
	"apps/v1 Deployment":                     func() any { return &apps.Deployment{} },
	"autoscaling/v2 HorizontalPodAutoscaler": func() any { return &autoscaling.HorizontalPodAutoscaler{} },
	"batch/v1 Job":                           func() any { return &batch.Job{} },
	"keda.sh/v1alpha1 ScaledObject":          func() any { return &keda.ScaledObject{} },
	"networking.k8s.io/v1 NetworkPolicy":     func() any { return &networking.NetworkPolicy{} },
	"policy/v1 PodDisruptionBudget":          func() any { return &policy.PodDisruptionBudget{} },
	"v1 ConfigMap":                           func() any { return &core.ConfigMap{} },
	"v1 Service":                             func() any { return &core.Service{} },
	"v1 ServiceAccount":                      func() any { return &core.ServiceAccount{} },
}

func main() {
	failed := false
	for _, name := range os.Args[1:] {
		n, err := check(name)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			failed = true
			continue
		}
		fmt.Printf("%s: %d objects\n", name, n)
	}
	if failed || len(os.Args) < 2 {
		os.Exit(1)
	}
}

// check reads all objects of a file, and counts them.
func check(name string) (n int, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	objects := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	for {
		object, err := objects.Read()
		if errors.Is(err, io.EOF) {
			if n == 0 {
				return 0, errors.New("it has no object")
			}
			return n, nil
		}
		if err != nil {
			return n, err
		}
		var head struct {
			meta.TypeMeta
			Metadata meta.ObjectMeta `json:"metadata"`
		}
		if err := strict.Unmarshal(object, &head); err != nil {
			return n, err
		}
		if head.Kind == "" { // comments alone
			continue
		}
		kind := head.APIVersion + " " + head.Kind
		if kinds[kind] == nil {
			return n, fmt.Errorf("there is no check of %s", kind)
		}
		if head.Metadata.Name == "" {
			return n, fmt.Errorf("a %s has no name", kind)
		}
		if err := strict.UnmarshalStrict(object, kinds[kind]()); err != nil {
			return n, fmt.Errorf("%s %s: %w", kind, head.Metadata.Name, err)
		}
		n++
	}
}
