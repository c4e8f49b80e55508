// Command generate writes the packages below ours, without protoc: it compiles definitions by protocompile, or takes them from the code that
// protoc-gen-go made of them in other modules, and runs the plugins in this process.
package main

import (
	"flag"
	"log"
	"os"
	"path"
	"path/filepath"

	"github.com/planetscale/vtprotobuf/generator"
	gengo "google.golang.org/protobuf/cmd/protoc-gen-go/internal_gengo"
	google "google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
	"hone/go/protogen"

	_ "github.com/planetscale/vtprotobuf/features/marshal"
	_ "github.com/planetscale/vtprotobuf/features/size"
	_ "github.com/planetscale/vtprotobuf/features/unmarshal"
)

func main() {
	out := flag.String("o", ".", "the `directory` of all packages")
	prefix := flag.String("prefix", "hone/go/compat/proto/ours", "what the import `path` of each package begins with")
	root := flag.String("root", "", "the `directory` of the .proto files that are named, instead of those that the tests take")
	flag.Parse()
	log.SetFlags(0)
	if *root != "" {
		sets = []set{{root: *root, patterns: flag.Args()}}
	}
	for _, set := range sets {
		files, err := set.load()
		if err == nil {
			err = write(*out, *prefix, files, set.withVT)
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}

// write runs the plugins over files and their imports.
func write(out, prefix string, files *fileSet, withVT bool) error {
	request := &pluginpb.CodeGeneratorRequest{ProtoFile: files.all, FileToGenerate: files.asked, Parameter: proto.String("module=" + prefix)}
	for _, file := range files.all {
		if files.isOurs[file.GetName()] {
			if file.Options == nil {
				file.Options = &descriptorpb.FileOptions{}
			}
			file.Options.GoPackage = proto.String(path.Join(prefix, packageDir(file.GetName())) + ";" + path.Base(path.Join(prefix, packageDir(file.GetName()))))
		}
	}
	plugin, err := google.Options{}.New(request)
	if err != nil {
		return err
	}
	for _, file := range plugin.Files {
		if file.Generate {
			gengo.GenerateFile(plugin, file)
		}
	}
	if withVT {
		vt, err := generator.NewGenerator(plugin, []string{"marshal", "size", "unmarshal"}, &generator.Config{Poolable: generator.NewObjectSet(), PoolableExclude: generator.NewObjectSet()})
		if err != nil {
			return err
		}
		vt.Generate()
	}
	if err := new(protogen.Options).Generate(plugin); err != nil {
		return err
	}
	response := plugin.Response()
	if response.Error != nil {
		log.Fatal(response.GetError())
	}
	for _, file := range response.File {
		to := filepath.Join(out, filepath.FromSlash(file.GetName()))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, []byte(file.GetContent()), 0o666); err != nil {
			return err
		}
	}
	return nil
}
