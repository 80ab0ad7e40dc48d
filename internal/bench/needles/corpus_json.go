package main

// documents are JSON documents that were there before the code that cuts them was tuned. Their needles say what is
// unlike the rest, and what it is that is.
var documents = []Text{
	{Name: "kubectl-pods", Program: "kubectl get pods -A -o json, 120 pods", Needles: []string{
		"ledger-6f5c8d7b9f-xk2lp", "ImagePullBackOff", "mailer-77c9d4b5c6-q8wzt", "CrashLoopBackOff", "OOMKilled",
	}},
	{Name: "github-checks", Program: "the check runs of a commit, as the API of GitHub has them", Needles: []string{
		"integration (postgres-16, arm64)", "2 tests failed: LedgerRollback, PartialRefund", "e2e (webkit, shard 3)", "timed_out",
	}},
	{Name: "docker-inspect", Program: "docker inspect of 40 containers", Needles: []string{
		"/shop-indexer-1", `"OOMKilled": true`, "/shop-gateway-2", `"FailingStreak": 17`,
		"Failed to connect to 127.0.0.1 port 8443",
	}},
	{Name: "aws-instances", Program: "aws ec2 describe-instances, 80 instances", Needles: []string{
		"i-0d3adbeef41c77e02", `"Name": "stopped"`, "i-0a9911bb22cc33dd4", `"PrivateIpAddress": null`,
	}},
	{Name: "eslint-json", Program: "eslint -f json of 170 files", Needles: []string{
		"Parsing error: Unexpected token ;", "'applySurcharge' is not defined.", "src/pipeline/carrier.js", "src/shipment/course.js",
	}},
	{Name: "jest-json", Program: "jest --json of 10 files", Needles: []string{
		"reads the zone of a guest", "Cannot read properties of undefined (reading 'zone')", "sums the vouchers of a split cart",
		"Received: 770",
	}},
	{Name: "npm-ls", Program: "npm ls --all --json", Needles: []string{
		"missing: picomatch@^2.2.3, required by jest-util@29.7.0", "missing: picomatch@^2.3.1, required by micromatch",
	}},
	{Name: "go-list", Program: "go list -e -json of a package of 1,200 files", Needles: []string{
		"no required module provides package example.com/wide/internal/ledgerbook", "listing_listing_700.go:3:8",
		"payment_document_431_windows.go",
	}},
	{Name: "cargo-metadata", Program: "cargo metadata of 160 crates", Needles: []string{"file-brand#0.7.0", "model-fee#0.3.0", "2015"}},
	{Name: "terraform-plan", Program: "terraform show -json of a plan, 300 resources", Needles: []string{
		"delete_because_no_resource_config", "policy_140", "upload_222",
	}},
}

// secondDocuments were made after it. 29 of their 34 needles were shown before the code learnt from the others.
var secondDocuments = []Text{
	{Name: "stack-events", Program: "aws cloudformation describe-stack-events, 140 events", Needles: []string{
		"LedgerArchiveBucket", "CREATE_FAILED", "ledger-archive already exists in stack",
	}},
	{Name: "search-bulk", Program: "a bulk request to a search engine, 600 documents", Needles: []string{
		"9f3ac1d07e55b2aa4410", "failed to parse field [total]", `For input string: \"12,50\"`, "c0ffee5a1e0000000001",
		"es_rejected_execution_exception",
	}},
	{Name: "prometheus-targets", Program: "the targets of a Prometheus server, 150 of them", Needles: []string{
		"dial tcp 10.2.9.77:9100: connect: connection refused", "http://10.2.9.77:9100/metrics",
	}},
	{Name: "playwright-json", Program: "playwright test --reporter=json, 360 tests", Needles: []string{
		"pays with a voucher that has expired", `Received: \"paid\"`, "keeps the cart over a reload", "Test timeout of 30000ms exceeded.",
	}},
	{Name: "sarif-scan", Program: "a scan in SARIF, 300 results", Needles: []string{
		"This query depends on a user-provided value.", "src/billing/search_invoices.js",
	}},
	{Name: "graphql-orders", Program: "an answer of a GraphQL server, 200 orders", Needles: []string{
		"Access denied for customer field of order 5042.", "Customer 70160 was redacted.", "gid://shop/Order/5042", "gid://shop/Order/5160",
	}},
	{Name: "kubectl-nodes", Program: "kubectl get nodes -o json, 36 nodes", Needles: []string{
		"worker-09", "kubelet has disk pressure", "worker-27", "Kubelet stopped posting node status.",
	}},
	{Name: "airflow-tasks", Program: "the tasks of an Airflow run, 90 of them", Needles: []string{
		"load_settlements", "Snowflake refused the key of role LOADER", "report_settlements", "upstream_failed",
	}},
	{Name: "npm-lock", Program: "a package-lock.json of jest and eslint", Needles: []string{
		"http://mirror.example.com/micromatch", "this version was published by somebody else",
	}},
	{Name: "trivy-image", Program: "trivy image -f json, 160 findings", Needles: []string{
		"CVE-2024-3094", "xz: malicious code in distributed source", "/srv/app/.env.production", "aws-access-key-id",
	}},
}
