//go:build machines

package nats

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"einvoice/service/bulk"

	"gopkg.in/yaml.v3"
)

// deployed are the objects of a file of deploy/bulk.
func deployed[T any](t *testing.T, name string) (all []T) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "deploy", "bulk", name))
	if err != nil {
		t.Fatal(err)
	}
	for d := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var one T
		if err := d.Decode(&one); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, one)
	}
}

type kubernetesObject struct {
	Kind     string
	Metadata struct{ Name string }
}

// The autoscaler watches the stream and the consumer of the job that the coordinator begins, with
// all that KEDA's scaler nats-jetstream requires, and scales the workers. Names of Kubernetes'
// objects are those of the values of NATS' chart.
func TestDeployedNames(t *testing.T) {
	settings := map[string]string{}
	kustomization := deployed[struct {
		Namespace          string
		Resources          []string
		ConfigMapGenerator []struct{ Literals []string } `yaml:"configMapGenerator"`
	}](t, "kustomization.yaml")[0]
	for _, literal := range kustomization.ConfigMapGenerator[0].Literals {
		name, value, _ := strings.Cut(literal, "=")
		settings[name] = value
	}
	chart := deployed[struct {
		Config struct {
			Cluster struct{ Replicas int }
			Monitor struct {
				Enabled bool
				Port    int
			}
		}
	}](t, "nats-values.yaml")[0].Config
	scaler := deployed[struct {
		Spec struct {
			ScaleTargetRef struct{ Name string } `yaml:"scaleTargetRef"`
			Triggers       []struct {
				Type     string
				Metadata map[string]string
			}
		}
	}](t, "autoscaler.yaml")[0].Spec
	if len(scaler.Triggers) != 1 || scaler.Triggers[0].Type != "nats-jetstream" {
		t.Fatalf("the triggers are %+v", scaler.Triggers)
	}
	of := scaler.Triggers[0].Metadata
	for key, want := range map[string]string{
		"stream": streamName(settings["JOB"]), "consumer": workers, "account": "$G", // of a server without accounts
		"natsServerMonitoringEndpoint": "nats-headless." + kustomization.Namespace + ".svc.cluster.local:" + strconv.Itoa(chart.Monitor.Port),
	} {
		if of[key] != want {
			t.Errorf("%s is %q, want %q", key, of[key], want)
		}
	}
	if lag, err := strconv.Atoi(of["lagThreshold"]); err != nil || lag < 1 || len(of) != 5 {
		t.Errorf("the trigger has %v", of)
	}
	if !chart.Monitor.Enabled {
		t.Error("NATS does not show its backlog")
	}
	var objects []kubernetesObject
	for _, name := range kustomization.Resources {
		objects = append(objects, deployed[kubernetesObject](t, name)...)
	}
	if !slices.ContainsFunc(objects, func(o kubernetesObject) bool {
		return o.Kind == "Deployment" && o.Metadata.Name == scaler.ScaleTargetRef.Name
	}) {
		t.Errorf("there is no Deployment %s among %v", scaler.ScaleTargetRef.Name, objects)
	}
	coordinator := deployed[struct {
		Spec struct {
			Template struct {
				Spec struct{ Containers []struct{ Args []string } }
			}
		}
	}](t, "coordinator.yaml")[0].Spec.Template.Spec.Containers[0].Args
	for _, want := range []string{"--name=$(JOB)", "--nats=$(NATS)", "--nats-replicas=" + strconv.Itoa(chart.Cluster.Replicas)} {
		if !slices.Contains(coordinator, want) {
			t.Errorf("the coordinator has no %s: %v", want, coordinator)
		}
	}
	if !bulk.IsJobName(settings["JOB"]) {
		t.Errorf("a job cannot be named %q", settings["JOB"])
	}
}
