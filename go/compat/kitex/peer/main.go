// Command peer calls the service Shop by Kitex's client. Package hone/go/internal/peers starts it.
//
//	peer call HOST PORT ttheader|ttheader-framed|framed|buffered|mux|short
package main

import (
	"errors"
	"fmt"
	"net"
	"os"

	"hone/go/compat/kitex/shop"
)

func main() {
	caller, err := shop.Dial("Shop", net.JoinHostPort(os.Args[2], os.Args[3]), shop.Wires[os.Args[4]]...)
	if err == nil {
		err = errors.Join(shop.CallAll(caller), shop.CallAtOnce(caller, 20, 20))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
