package grpcwire

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

func TestATimeoutIsNeverShorterThanTheTimeLeft(t *testing.T) {
	for _, left := range []time.Duration{1, 99999999, 100000000, 100000001, time.Second, 250 * time.Hour, math.MaxInt64, 0, -5} {
		text := string(AppendTimeout(nil, left))
		read, err := ParseTimeout(text)
		if err != nil || read < left || read <= 0 || len(text) > 9 {
			t.Errorf("%d is written as %s and read as %d: %v", left, text, read, err)
		}
		if most := left + left/1000; left > 0 && most > 0 && read > max(most, left+1) {
			t.Errorf("%d is written as %s, which is far more", left, text)
		}
	}
}

func TestATimeoutHasOneToEightDigitsAndAUnit(t *testing.T) {
	for _, bad := range []string{"", "1", "S", "1s", "123456789n", "-1S", "1.5S", " 1S", "1S ", "1 S", "0x1S", "１S"} {
		if read, err := ParseTimeout(bad); err == nil {
			t.Errorf("%q is read as %d", bad, read)
		}
	}
	for text, length := range map[string]time.Duration{
		"1n": 1, "2u": 2000, "3m": 3e6, "4S": 4e9, "5M": 300e9, "6H": 6 * time.Hour, "0S": 0, "00000001S": 1e9, "99999999H": math.MaxInt64,
	} {
		if read, err := ParseTimeout(text); err != nil || read != length {
			t.Errorf("%q is read as %d: %v", text, read, err)
		}
	}
}

func TestAMessageOfAStatusSurvivesTheWire(t *testing.T) {
	for _, message := range []string{"", "plain", "100 %", "naïve\r\n", "%41", "\x00\x7f~ ", strings.Repeat("é%", 99)} {
		text := string(AppendPercent(nil, message))
		if read := ParsePercent(text); read != message {
			t.Errorf("%q is written as %q and read as %q", message, text, read)
		}
		if CheckText("grpc-message", text) != nil {
			t.Errorf("%q is written as %q, which HTTP/2 does not allow", message, text)
		}
	}
}

func TestAMessageWithBadEscapesIsReadAsFarAsItCanBe(t *testing.T) {
	for text, message := range map[string]string{"%": "%", "%4": "%4", "%zz": "%zz", "%41%": "A%", "%ff": "\uFFFD", "%+1": "%+1", "%e4b": "\uFFFDb"} {
		if read := ParsePercent(text); read != message {
			t.Errorf("%q is read as %q", text, read)
		}
	}
}

func TestACodeThatIsNotKnownIsKept(t *testing.T) {
	for text, code := range map[string]Code{"0": OK, "5": NotFound, "16": Unauthenticated, "77": 77} {
		if read, ok := ParseCode(text); !ok || read != code {
			t.Errorf("%q is read as %v", text, read)
		}
	}
	for _, text := range []string{"", "x", "-1", "4294967296"} {
		if read, ok := ParseCode(text); ok || read != Unknown {
			t.Errorf("%q is read as %v", text, read)
		}
	}
	if OK.String() != "OK" || Unauthenticated.String() != "UNAUTHENTICATED" || Code(77).String() != "CODE(77)" {
		t.Error("names of codes")
	}
}

func TestBinaryMetadataIsReadWithPaddingAndWithout(t *testing.T) {
	for n := range 9 {
		value := bytes.Repeat([]byte{0xfb, 0, 0xff}, 3)[:n]
		text := string(AppendBinary(nil, value))
		padded := text + strings.Repeat("=", (4-len(text)%4)%4)
		for _, one := range []string{text, padded} {
			if read, err := ParseBinary(one); err != nil || !bytes.Equal(read, value) {
				t.Errorf("%q: %x, %v", one, read, err)
			}
		}
		all, err := ParseBinaries(text + "," + padded + ", " + text)
		if err != nil || len(all) != 3 || !bytes.Equal(all[1], value) || !bytes.Equal(all[2], value) {
			t.Errorf("%x: %v", all, err)
		}
	}
	if _, err := ParseBinary("a?"); err == nil {
		t.Error("what is not base64 is read")
	}
}

func TestNamesAndValuesOfMetadataAreChecked(t *testing.T) {
	for _, good := range []string{"a", "trace-bin", "x_1.y-z"} {
		if err := CheckName(good); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", "A", "a b", "é", "grpc-timeout", ":path", "te", "content-type", "a:b"} {
		if CheckName(bad) == nil {
			t.Errorf("%q is allowed", bad)
		}
	}
	if CheckText("a", "plain ~") != nil || CheckText("a", "é") == nil || CheckText("a", "a\n") == nil {
		t.Error("values")
	}
}

func TestAContentTypeNamesTheEncoding(t *testing.T) {
	for value, want := range map[string]string{
		"application/grpc": "", "application/grpc+proto": "proto", "Application/GRPC+JSON; a=b": "json", "application/grpc;x": "", "application/grpc+": "",
	} {
		if subtype, isGRPC := ParseContentType(value); !isGRPC || subtype != want {
			t.Errorf("%q is read as %q", value, subtype)
		}
	}
	for _, other := range []string{"", "text/html", "application/grpc-web", "application/grp"} {
		if _, isGRPC := ParseContentType(other); isGRPC {
			t.Errorf("%q is taken for gRPC's", other)
		}
	}
	if !Accepts("identity, gzip", Gzip) || Accepts("gzipped,x", Gzip) || Accepts("", Gzip) {
		t.Error("accepted encodings")
	}
}

func TestACompressedMessageMayNotExpandBeyondItsLimit(t *testing.T) {
	message := bytes.Repeat([]byte("0123456789"), 10_000)
	compressed := AppendGzip([]byte("before"), message)[6:]
	if len(compressed) > len(message)/50 {
		t.Fatalf("%d bytes", len(compressed))
	}
	read, err := AppendGunzip([]byte("x"), compressed, len(message))
	if err != nil || !bytes.Equal(read[1:], message) {
		t.Fatal(len(read), err)
	}
	if read, err := AppendGunzip(nil, compressed, len(message)-1); !errors.Is(err, ErrExpands) || len(read) != 0 {
		t.Fatal(len(read), err)
	}
	for _, bad := range [][]byte{nil, []byte("no gzip at all"), compressed[:len(compressed)/2]} {
		if _, err := AppendGunzip(nil, bad, 1<<20); err == nil {
			t.Error("what is not gzip is read")
		}
	}
	if read, err := AppendGunzip(nil, compressed, len(message)); err != nil || len(read) != len(message) {
		t.Error("a reader does not recover from an error:", err)
	}
}

func TestAPrefixTellsLengthAndCompression(t *testing.T) {
	var prefix [PrefixBytes]byte
	for _, isCompressed := range []bool{false, true} {
		PutPrefix(prefix[:], 70_000, isCompressed)
		if n, flag, err := ReadPrefix(prefix[:]); n != 70_000 || flag != isCompressed || err != nil {
			t.Error(n, flag, err)
		}
	}
	if _, _, err := ReadPrefix([]byte("HTTP/")); !errors.Is(err, ErrFlag) {
		t.Error(err)
	}
}

func FuzzEveryValueIsReadOrRefused(f *testing.F) {
	for _, seed := range []string{"1S", "%41", "AAEC,/w==", "16", "application/grpc+proto", "\x1f\x8b\b\x00\x00\x00\x00\x00\x00\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ParseCode(text)
		ParseContentType(text)
		if d, err := ParseTimeout(text); err == nil && d < 0 {
			t.Error("a negative timeout")
		}
		if message := ParsePercent(text); len(message) > 3*len(text) {
			t.Error("a message grew")
		} else if again := ParsePercent(string(AppendPercent(nil, message))); again != message && strings.ToValidUTF8(message, "\uFFFD") == message {
			t.Errorf("%q became %q", message, again)
		}
		if all, err := ParseBinaries(text); err == nil && len(all) > len(text)+1 {
			t.Error("values from nothing")
		}
		if read, err := AppendGunzip(nil, []byte(text), 1000); err == nil && len(read) > 1000 {
			t.Error("a message is longer than allowed")
		}
	})
}
