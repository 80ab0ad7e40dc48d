package main

// TODO: read the port from a flag.
func main() {
	serve(8080)
}

func serve(port int) { println("port", port) }
