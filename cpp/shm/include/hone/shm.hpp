// Connections through memory that two processes of one machine share. C++20, header-only, Linux; nothing is thrown but
// std::bad_alloc while a connection begins, and no byte that is sent or received allocates.
//
//   hone::shm::Connection client = hone::shm::connect("/run/hello.sock");
//
//   hone::shm::Server server;
//   hone::shm::Connection accepted = server.answer(hone::shm::Descriptor(::accept(...)));
//
// A connection begins as one over a Unix socket. A client asks for a segment of shared memory first, and a server gives
// it one; both then write into it and read from it, and the socket is left to wake a side that sleeps and to tell that
// a side has ended. A client that does not ask gets an ordinary connection, and so does one whose server does not know
// shared memory or refuses it.
//
// An event loop with many connections between the same two processes can use `Pairs`, by which it is woken once for all
// of them, and `Connecting`, which does not wait for a server.
//
// The other side is not trusted with more than its own connection: it may write anything into the segment at any time.
// docs/internals/shm.md has the layout and the rules. Go's package hone/go/shm and the crate hone-shm speak the same.
#pragma once

#include "shm/client.hpp"
#include "shm/connecting.hpp"
#include "shm/connection.hpp"
#include "shm/pairs.hpp"
#include "shm/server.hpp"
