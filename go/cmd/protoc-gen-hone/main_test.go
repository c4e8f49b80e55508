package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
	"hone/go/internal/protosample"
)

// asCommand names the environment variable that makes this test's program act as the command.
const asCommand = "HONE_TEST_PROTOC_GEN_HONE"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// request returns the request that protoc sends for the sample.
func request(parameter string) *pluginpb.CodeGeneratorRequest {
	of := protosample.File_sample_proto
	var files []*descriptorpb.FileDescriptorProto
	for i := range of.Imports().Len() {
		files = append(files, protodesc.ToFileDescriptorProto(of.Imports().Get(i)))
	}
	return &pluginpb.CodeGeneratorRequest{Parameter: proto.String(parameter), ProtoFile: append(files, protodesc.ToFileDescriptorProto(of)), FileToGenerate: []string{of.Path()}}
}

// answer starts the command as protoc does, and returns its answer.
func answer(t *testing.T, request *pluginpb.CodeGeneratorRequest) *pluginpb.CodeGeneratorResponse {
	t.Helper()
	in, err := proto.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command(os.Args[0])
	run.Stdin, run.Env = bytes.NewReader(in), append(os.Environ(), asCommand+"=1")
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(out, &response); err != nil {
		t.Fatal(err)
	}
	return &response
}

func TestTheCommandAnswersAsProtocExpects(t *testing.T) {
	response := answer(t, request("paths=source_relative"))
	code, err := os.ReadFile("../../internal/protosample/sample_hone.pb.go")
	if err != nil || response.Error != nil || len(response.File) != 1 || response.File[0].GetName() != "sample_hone.pb.go" || response.File[0].GetContent() != string(code) {
		t.Errorf("another answer: %v %v", response.GetError(), err)
	}
	features := pluginpb.CodeGeneratorResponse_FEATURE_PROTO3_OPTIONAL | pluginpb.CodeGeneratorResponse_FEATURE_SUPPORTS_EDITIONS
	if response.GetSupportedFeatures() != uint64(features) || response.GetMinimumEdition() != int32(descriptorpb.Edition_EDITION_PROTO2) {
		t.Errorf("features %d from edition %d", response.GetSupportedFeatures(), response.GetMinimumEdition())
	}
	if refused := answer(t, request("default_api_level=API_OPAQUE")); !strings.Contains(refused.GetError(), "API_OPAQUE") || len(refused.File) > 0 {
		t.Errorf("a request that cannot be fulfilled is answered by %v", refused)
	}
}
