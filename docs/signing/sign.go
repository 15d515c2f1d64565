// Signs a request to Tidegate with Go's standard library.
//
//	go run sign.go POST merchant-private.pem TIMESTAMP NONCE < body.json
//	go run sign.go GET  merchant-private.pem TIMESTAMP NONCE < query-string
//
// Prints X-Sign, and below it the text that was signed. Send the very bytes that were signed. The key is PKCS#8 PEM.
package main

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"sort"
	"strings"
)

func contentToSign(method, text, timestamp, nonce string) (string, error) {
	leaves := map[string]string{}
	if method == "GET" {
		values, err := url.ParseQuery(text)
		if err != nil {
			return "", err
		}
		for name := range values {
			flatten(name, values.Get(name), leaves)
		}
	} else {
		decoder := json.NewDecoder(strings.NewReader(text))
		// A number must keep its own text: 100.50 must not become 100.5.
		decoder.UseNumber()
		var fields map[string]any
		if err := decoder.Decode(&fields); err != nil {
			return "", err
		}
		for key, value := range fields {
			flatten(key, value, leaves)
		}
	}
	leaves["timestamp"] = timestamp
	leaves["nonce"] = nonce
	paths := make([]string, 0, len(leaves))
	for path := range leaves {
		paths = append(paths, path)
	}
	// Go compares texts by the bytes of UTF-8, which is the order of code points.
	sort.Strings(paths)
	pairs := make([]string, 0, len(paths))
	for _, path := range paths {
		pairs = append(pairs, escaped.Replace(path)+"="+escaped.Replace(leaves[path]))
	}
	return strings.Join(pairs, "&"), nil
}

var escaped = strings.NewReplacer("%", "%25", "&", "%26", "=", "%3D")

// flatten adds the path=value pairs of a value; null, "", {} and [] have none.
func flatten(path string, value any, leaves map[string]string) {
	switch value := value.(type) {
	case map[string]any:
		for key, member := range value {
			flatten(path+"."+key, member, leaves)
		}
	case []any:
		for index, element := range value {
			flatten(fmt.Sprintf("%s[%d]", path, index), element, leaves)
		}
	case bool:
		leaves[path] = fmt.Sprint(value)
	case json.Number:
		leaves[path] = value.String()
	case string:
		if value != "" {
			leaves[path] = value
		}
	}
}

func sign(content, keyFile string) (string, error) {
	text, err := os.ReadFile(keyFile)
	if err != nil {
		return "", err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return "", errors.New("the key is not PEM")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return "", err
	}
	rsaKey, ok := key.(*rsa.PrivateKey)
	if !ok {
		return "", errors.New("the key is not an RSA key")
	}
	digest := sha256.Sum256([]byte(content))
	signature, err := rsa.SignPKCS1v15(rand.Reader, rsaKey, crypto.SHA256, digest[:])
	return base64.StdEncoding.EncodeToString(signature), err
}

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	content, err := contentToSign(os.Args[1], string(text), os.Args[3], os.Args[4])
	if err != nil {
		panic(err)
	}
	signature, err := sign(content, os.Args[2])
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s\n%s", signature, content)
}
