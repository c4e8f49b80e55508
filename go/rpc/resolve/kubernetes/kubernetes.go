// Package kubernetes finds instances of services by Kubernetes' EndpointSlices: the pods of a service that are ready, also those of
// a headless service. It learns of a change at once, by a watch.
//
//	resolver, err := kubernetes.InCluster()
//	client := rpc.Dial("shop.default:grpc") // SERVICE.NAMESPACE:PORT, a port by its name or number
//	client.Resolver = resolver
//
// The account of the pod must be allowed to list and watch endpointslices of discovery.k8s.io in the namespace of the service.
package kubernetes

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"hone/go/internal/wait"
	"hone/go/rpc/resolve"
)

// Resolver is a [resolve.Resolver]. It keeps the last list while the API cannot be reached.
type Resolver struct {
	// Address is the address of the API, such as https://10.0.0.1:443.
	Address string
	// Client sends the requests; it has the certificates by which the API is known. Nil means http.DefaultClient.
	Client *http.Client
	// TokenFile has the token of the account. It is read for each request, since tokens are renewed. "" means none.
	TokenFile string
	// Retry is the wait after a failure. 0 means 1 s.
	Retry time.Duration
}

// accountFolder is the folder where pods have the token of their account, and the certificates by which the API is known.
const accountFolder = "/var/run/secrets/kubernetes.io/serviceaccount"

// InCluster makes the resolver of a program that runs in a pod.
func InCluster() (*Resolver, error) {
	host, port := os.Getenv("KUBERNETES_SERVICE_HOST"), os.Getenv("KUBERNETES_SERVICE_PORT")
	if host == "" || port == "" {
		return nil, errors.New("kubernetes: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set, as they are in pods; set the fields of a Resolver elsewhere")
	}
	known, err := os.ReadFile(filepath.Join(accountFolder, "ca.crt"))
	if err != nil {
		return nil, fmt.Errorf("kubernetes: %w; look whether the pod has automountServiceAccountToken", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(known) {
		return nil, fmt.Errorf("kubernetes: %s has no certificates", filepath.Join(accountFolder, "ca.crt"))
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}}
	return &Resolver{Address: "https://" + net.JoinHostPort(host, port), Client: client, TokenFile: filepath.Join(accountFolder, "token")}, nil
}

// Watch implements [resolve.Resolver]. It returns the error of a name that is not SERVICE.NAMESPACE:PORT.
func (r *Resolver) Watch(ctx context.Context, service string, tell func(resolve.Update)) error {
	w, err := r.watcherOf(service)
	if err != nil {
		return err
	}
	w.teller = resolve.NewTeller(tell)
	retry := r.Retry
	if retry <= 0 {
		retry = time.Second
	}
	for ctx.Err() == nil {
		version, err := w.list(ctx)
		for err == nil && ctx.Err() == nil {
			began := time.Now()
			if version, err = w.follow(ctx, version); err == nil && time.Since(began) < retry {
				// An API that ends each watch at once is not asked without end.
				wait.For(ctx, retry)
			}
		}
		if ctx.Err() == nil && !errors.Is(err, errTooOld) {
			w.teller.Failed(fmt.Errorf("kubernetes: service %q: %w", service, err))
		}
		wait.For(ctx, retry)
	}
	return nil
}

// watcher is one call of [Resolver.Watch].
type watcher struct {
	*Resolver
	url    url.URL
	query  url.Values
	port   string
	teller *resolve.Teller
	slices map[string]slice
}

func (r *Resolver) watcherOf(service string) (*watcher, error) {
	at, err := url.Parse(r.Address)
	name, port, hasPort := strings.Cut(service, ":")
	name, namespace, hasNamespace := strings.Cut(name, ".")
	if err != nil || at.Host == "" || !hasPort || !hasNamespace || name == "" || namespace == "" || port == "" {
		return nil, fmt.Errorf("kubernetes: service %q at %q: write SERVICE.NAMESPACE:PORT, such as shop.default:grpc, and the address of the API, such as https://10.0.0.1:443", service, r.Address)
	}
	at = at.JoinPath("apis/discovery.k8s.io/v1/namespaces", url.PathEscape(namespace), "endpointslices")
	return &watcher{Resolver: r, url: *at, query: url.Values{"labelSelector": {"kubernetes.io/service-name=" + name}}, port: port}, nil
}

// slice is a part of the endpoints of a service (https://kubernetes.io/docs/reference/kubernetes-api/service-resources/endpoint-slice-v1/).
type slice struct {
	Metadata struct{ Name, ResourceVersion string }
	Ports    []struct {
		Name string
		Port *int32
	}
	Endpoints []struct {
		Addresses  []string
		Conditions struct{ Ready *bool }
		NodeName   string
		Zone       string
	}
}

// These are the limits of what the API sends: of a list and of an event.
const (
	maxListBytes  = 64 << 20
	maxEventBytes = 4 << 20
)

// watchTime is the time after which the API ends a watch. Then the next watch begins.
const watchTime = 5 * time.Minute

// errTooOld is the error of a version from which the API no longer has the changes.
var errTooOld = errors.New("the changes since the last list are gone")

// list reads all slices, and returns their version.
func (w *watcher) list(ctx context.Context) (string, error) {
	ctx, stop := context.WithTimeout(ctx, 30*time.Second)
	defer stop()
	body, err := w.get(ctx, nil)
	if err != nil {
		return "", err
	}
	defer body.Close()
	var all struct {
		Metadata struct{ ResourceVersion string }
		Items    []slice
	}
	if err := json.NewDecoder(io.LimitReader(body, maxListBytes)).Decode(&all); err != nil {
		return "", fmt.Errorf("read the list of slices: %w", err)
	}
	w.slices = map[string]slice{}
	for _, one := range all.Items {
		w.slices[one.Metadata.Name] = one
	}
	return all.Metadata.ResourceVersion, w.tell()
}

// follow takes the changes since a version, until the API ends the watch. It returns the version of the last change.
func (w *watcher) follow(ctx context.Context, version string) (string, error) {
	// A watch over which nothing comes, not even its end, is given up.
	ctx, stop := context.WithTimeout(ctx, watchTime+30*time.Second)
	defer stop()
	body, err := w.get(ctx, url.Values{"watch": {"1"}, "allowWatchBookmarks": {"true"}, "resourceVersion": {version}, "timeoutSeconds": {strconv.Itoa(int(watchTime.Seconds()))}})
	if err != nil {
		return "", err
	}
	defer body.Close()
	limited := &io.LimitedReader{R: body}
	for events := json.NewDecoder(limited); ; {
		limited.N = maxEventBytes
		var event struct {
			Type   string
			Object json.RawMessage
		}
		if err := events.Decode(&event); err == io.EOF && limited.N > 0 {
			return version, nil
		} else if err != nil {
			return "", fmt.Errorf("read a change: %w", err)
		}
		if version, err = w.take(event.Type, event.Object); err != nil {
			return "", err
		}
	}
}

// take takes a change, and returns its version.
func (w *watcher) take(kind string, object []byte) (string, error) {
	if kind == "ERROR" {
		var status struct {
			Code    int
			Message string
		}
		if json.Unmarshal(object, &status); status.Code == http.StatusGone {
			return "", errTooOld
		}
		return "", fmt.Errorf("the API ends the watch: %.200q", status.Message)
	}
	var changed slice
	if err := json.Unmarshal(object, &changed); err != nil {
		return "", fmt.Errorf("read a slice: %w", err)
	}
	version := changed.Metadata.ResourceVersion
	switch kind {
	case "ADDED", "MODIFIED":
		w.slices[changed.Metadata.Name] = changed
	case "DELETED":
		delete(w.slices, changed.Metadata.Name)
	default: // BOOKMARK, which has only a version
		return version, nil
	}
	return version, w.tell()
}

// get sends a request to the API.
func (w *watcher) get(ctx context.Context, more url.Values) (io.ReadCloser, error) {
	at, query := w.url, url.Values{}
	for _, values := range []url.Values{w.query, more} {
		for name, value := range values {
			query[name] = value
		}
	}
	at.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	if w.TokenFile != "" {
		token, err := os.ReadFile(w.TokenFile)
		if err != nil {
			return nil, err
		}
		request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	}
	client := w.Client
	if client == nil {
		client = http.DefaultClient
	}
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode == http.StatusOK {
		return answer.Body, nil
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 200))
	switch answer.StatusCode {
	case http.StatusGone:
		return nil, errTooOld
	case http.StatusForbidden, http.StatusUnauthorized:
		return nil, fmt.Errorf("the API answers %s: allow the account to list and watch endpointslices of discovery.k8s.io", answer.Status)
	}
	return nil, fmt.Errorf("the API answers %s: %.200q", answer.Status, text)
}

// tell tells the instances of all slices.
func (w *watcher) tell() error {
	var all []resolve.Instance
	for _, one := range w.slices {
		port, err := one.portOf(w.port)
		if err != nil {
			return err
		}
		for _, endpoint := range one.Endpoints {
			// An endpoint without this condition counts as ready.
			if ready := endpoint.Conditions.Ready; ready != nil && !*ready || port == 0 {
				continue
			}
			for _, host := range endpoint.Addresses {
				made := resolve.Instance{Address: net.JoinHostPort(host, strconv.Itoa(int(port))), Weight: resolve.DefaultWeight, Tags: map[string]string{}}
				if err := resolve.CheckAddress(made.Address); err != nil {
					return fmt.Errorf("slice %q: %w", one.Metadata.Name, err)
				}
				for tag, value := range map[string]string{resolve.Zone: endpoint.Zone, resolve.Machine: endpoint.NodeName} {
					if value != "" {
						made.Tags[tag] = value
					}
				}
				all = append(all, made)
			}
		}
	}
	w.teller.Found(all)
	return nil
}

// portOf returns the number of a port; 0 where the slice has no endpoints.
func (s slice) portOf(port string) (int32, error) {
	for _, one := range s.Ports {
		if one.Port != nil && (one.Name == port || strconv.Itoa(int(*one.Port)) == port) {
			return *one.Port, nil
		}
	}
	if len(s.Endpoints) == 0 {
		return 0, nil
	}
	return 0, fmt.Errorf("slice %q has no port %q; write one of the pods' ports, by its name or number", s.Metadata.Name, port)
}
