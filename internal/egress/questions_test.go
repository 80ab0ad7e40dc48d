package egress_test

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/egress"
	"github.com/spillway-go/spillway/internal/hosts"
)

// refusing serves a command whose questions are all answered with no, and counts them.
func refusing(t *testing.T) (asked *atomic.Int64, proxy string) {
	asked = new(atomic.Int64)
	w := newWorld(t, "", nil, nil, func(context.Context, hosts.Target, config.Call) (egress.Answer, error) {
		asked.Add(1)
		return egress.No, nil
	})
	_, proxy = w.serve(t)
	return asked, proxy
}

func TestQuestionsAreBounded(t *testing.T) {
	asked, proxy := refusing(t)
	for i := range 30 {
		require.Contains(t, raw(t, proxy, fmt.Sprintf("CONNECT h%d.example:443 HTTP/1.1\r\n\r\n", i)), "was refused (Bash.Hosts)")
	}
	require.EqualValues(t, 20, asked.Load())
}

func TestNoIsForAllPorts(t *testing.T) {
	asked, proxy := refusing(t)
	for i := range 5 {
		raw(t, proxy, fmt.Sprintf("CONNECT evil.example:%d HTTP/1.1\r\n\r\n", 1000+i))
	}
	for _, host := range []string{"EVIL.example", "evil.example."} { // the same, also for plain HTTP
		raw(t, proxy, fmt.Sprintf("CONNECT %s:2000 HTTP/1.1\r\n\r\n", host))
		raw(t, proxy, fmt.Sprintf("GET http://%s:3000/ HTTP/1.1\r\nHost: %[1]s:3000\r\n\r\n", host))
	}
	require.EqualValues(t, 1, asked.Load())
	raw(t, proxy, "CONNECT other.example:1000 HTTP/1.1\r\n\r\n")
	require.EqualValues(t, 2, asked.Load())
}

// A yes is for one port, and stays one after a no for another.
func TestYesIsForOnePort(t *testing.T) {
	w := newWorld(t, echo(t).Listener.Addr().String(), nil, nil,
		func(_ context.Context, to hosts.Target, _ config.Call) (egress.Answer, error) {
			return map[bool]egress.Answer{true: egress.Once}[to.Port == 80], nil
		})
	_, proxy := w.serve(t)
	for _, port := range []int{80, 81, 80} {
		code, _ := get(t, httpClient(proxy, "http"), fmt.Sprintf("http://ok.example:%d/", port))
		require.Equal(t, map[int]int{80: 200, 81: 403}[port], code, port)
	}
}

// A client that goes while somebody answers does not have the question asked again.
func TestLateAnswerIsRemembered(t *testing.T) {
	var asked atomic.Int64
	w := newWorld(t, "", nil, nil, func(ctx context.Context, _ hosts.Target, _ config.Call) (egress.Answer, error) {
		if asked.Add(1) == 1 {
			<-ctx.Done() // the answer comes just when the client goes
		}
		return egress.No, nil
	})
	_, proxy := w.serve(t)
	c, err := net.Dial("tcp", proxy)
	require.NoError(t, err)
	fmt.Fprint(c, "CONNECT evil.example:443 HTTP/1.1\r\n\r\n")
	require.Eventually(t, func() bool { return asked.Load() == 1 }, 60e9, 1e6)
	c.Close()
	raw(t, proxy, "CONNECT evil.example:443 HTTP/1.1\r\n\r\n")
	require.EqualValues(t, 1, asked.Load())
}

// Questions that are taken back count as well.
func TestQuestionsTakenBackAreBounded(t *testing.T) {
	var asked atomic.Int64
	w := newWorld(t, "", nil, nil, func(ctx context.Context, _ hosts.Target, _ config.Call) (egress.Answer, error) {
		asked.Add(1)
		<-ctx.Done()
		return egress.No, ctx.Err()
	})
	_, proxy := w.serve(t)
	for i := range int64(20) {
		c, err := net.Dial("tcp", proxy)
		require.NoError(t, err)
		fmt.Fprint(c, "CONNECT evil.example:443 HTTP/1.1\r\n\r\n")
		require.Eventually(t, func() bool { return asked.Load() == i+1 }, 60e9, 1e6)
		c.Close()
	}
	require.Contains(t, raw(t, proxy, "CONNECT evil.example:443 HTTP/1.1\r\n\r\n"), "was refused (Bash.Hosts)")
	require.EqualValues(t, 20, asked.Load())
}
