package idl

import "strings"

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// definitionWords open a definition.
var definitionWords = wordSet("typedef const enum struct union exception service")

// headerWords open a line of the header.
var headerWords = wordSet("include cpp_include namespace")

// keywords are words of the language. They can name fields, functions and enum values, but no definitions.
var keywords = wordSet(`namespace cpp_include include cpp_type xsd_all xsd_optional xsd_nillable xsd_attrs
	typedef const enum senum struct union exception service extends throws oneway async void
	bool byte i8 i16 i32 i64 double string binary slist list set map required optional true false`)

// reservedWords are words that Apache's compiler refuses as names, because they are words of one of its target languages (its list,
// compared word by word).
var reservedWords = wordSet(`BEGIN END __CLASS__ __DIR__ __FILE__ __FUNCTION__ __LINE__ __METHOD__ __NAMESPACE__
	abstract alias and args as assert begin break case catch class clone continue declare def default del delete
	do dynamic elif else elseif elsif end enddeclare endfor endforeach endif endswitch endwhile ensure except exec
	finally float for foreach from function global goto if implements import in inline instanceof interface is
	lambda module native new next nil not or package pass public print private protected raise redo rescue retry
	register return self sizeof static super switch synchronized then this throw transient try undef unless
	unsigned until use var virtual volatile when while with xor yield`)

// legacyNamespaces are the spellings of old compilers, with the scope that is used today.
var legacyNamespaces = map[string]string{
	"cpp_namespace": "cpp", "java_package": "java", "php_namespace": "php", "py_module": "py",
	"perl_package": "perl", "ruby_namespace": "rb", "csharp_namespace": "csharp", "delphi_namespace": "delphi",
	"cocoa_prefix": "cocoa", "smalltalk_category": "smalltalk.category", "smalltalk_prefix": "smalltalk.prefix",
	"xsd_namespace": "xsd",
}
