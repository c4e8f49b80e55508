package payload

import "strings"

// These are words of the kind that services put into names, labels and texts.
var (
	nouns = strings.Fields(`account address agent amount basket batch bucket buyer cache cart catalogue channel client cluster code comment config
		country currency customer delivery device discount domain driver event export feature filter flag folder gateway group handler host image
		index invoice item journal kernel label language ledger limit listing locale market member message metric model network node note offer
		order origin owner package page parcel partner payment permit phase pixel plan policy price process product profile project queue quota
		rate reader region release report request resource result review role route rule sample schema scope search segment seller session
		shard shipment signal site slot snapshot source stage status stock store stream supplier table tag target task team tenant ticket token
		topic trace track trial type unit update upload user value vendor version video view visit volume wallet warehouse window worker zone`)
	verbs     = strings.Fields(`add apply assign build cancel check close create delete fetch find get list load merge open parse pay put read refresh remove resolve save send set sync update write`)
	countries = strings.Fields(`AT BR CH CN DE DK ES FR GB IN IT JP KR MX NL NO PL SE SG US`)
	languages = strings.Fields(`de-AT pt-BR de-CH zh-CN de-DE da-DK es-ES fr-FR en-GB hi-IN it-IT ja-JP ko-KR`)
	regions   = strings.Fields(`eu-west-1 eu-central-1 us-east-1 us-west-2 ap-south-1 ap-northeast-1`)
)

func (m maker) of(words []string) string { return words[m.Intn(len(words))] }

// name returns several words with something between them: cart-item.
func (m maker) name(words int, between string) string {
	parts := make([]string, words)
	for i := range parts {
		parts[i] = m.of(nouns)
	}
	return strings.Join(parts, between)
}

// sentence returns a text of the given number of words.
func (m maker) sentence(words int) string { return m.name(words, " ") }

// digits returns n digits in base 16, as in a hash or an id.
func (m maker) digits(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "0123456789abcdef"[m.Intn(16)]
	}
	return string(b)
}

// bytes returns n random bytes.
func (m maker) bytes(n int) []byte {
	b := make([]byte, n)
	m.Read(b)
	return b
}

// labels returns n entries with keys of a word or two, and values of one to three.
func (m maker) labels(n int) map[string]string {
	labels := map[string]string{}
	for len(labels) < n {
		labels[m.name(1+m.Intn(2), ".")] = m.name(1+m.Intn(3), "-")
	}
	return labels
}

// ids returns n numbers as databases assign them: close to each other.
func (m maker) ids(n int) []int64 {
	first := 7_000_000_000 + m.Int63n(1e9)
	ids := make([]int64, n)
	for i := range ids {
		first += m.Int63n(1000)
		ids[i] = first
	}
	return ids
}

func (m maker) doubles(n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = m.NormFloat64()
	}
	return values
}

func (m maker) ints(n, below int) []int32 {
	values := make([]int32, n)
	for i := range values {
		values[i] = int32(m.Intn(below))
	}
	return values
}

func (m maker) names(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = m.name(1+m.Intn(2), "-")
	}
	return names
}

// millis returns a time of the year 2024, in milliseconds.
func (m maker) millis() int64 { return 1_704_067_200_000 + m.Int63n(31_536_000_000) }

// few returns a number around n: from half of it to one and a half.
func (m maker) few(n int) int { return n/2 + m.Intn(n+1) }

func pointer[T any](value T) *T { return &value }
