window.BENCHMARK_DATA = {
  "lastUpdate": 1710789780498,
  "repoUrl": "https://github.com/example/project",
  "entries": {
    "Rust": [
      {
        "commit": {
          "author": {"email": "a@example.com", "name": "A", "username": "a"},
          "committer": {"email": "a@example.com", "name": "A", "username": "a"},
          "distinct": true,
          "id": "45d78258e495044a551046f50604da3c893052ce",
          "message": "add an example",
          "timestamp": "2019-11-10T00:06:58+09:00",
          "tree_id": "59cf1e78101c09beef06aa1832e1caa09ec52246",
          "url": "https://github.com/example/project/commit/45d78258e495044a551046f50604da3c893052ce"
        },
        "date": 1573312140323,
        "tool": "cargo",
        "benches": [
          {"name": "bench_fib_10", "value": 254, "range": "± 35", "unit": "ns/iter"},
          {"name": "bench_fib_20", "value": 34001, "range": "± 2802", "unit": "ns/iter"}
        ]
      },
      {
        "commit": {"id": "b840614fd88743f234aac0dc747a0a70616f450f", "message": "faster", "timestamp": "2019-11-11T00:00:00Z", "url": "https://github.com/example/project/commit/b840614fd88743f234aac0dc747a0a70616f450f"},
        "date": 1573398540323,
        "tool": "cargo",
        "benches": [{"name": "bench_fib_10", "value": 201, "range": "± 12", "unit": "ns/iter"}]
      }
    ],
    "Python": [
      {
        "commit": {"id": "b840614fd88743f234aac0dc747a0a70616f450f"},
        "date": 1573398541000,
        "tool": "pytest",
        "benches": [{"name": "bench.py::test_fib_10", "value": 40000.5, "unit": "iter/sec", "range": "stddev: 0.000006", "extra": "mean: 24.9 usec\nrounds: 41961"}]
      }
    ],
    "Go": [
      {
        "commit": {"id": "b840614fd88743f234aac0dc747a0a70616f450f"},
        "date": 1573398542000,
        "tool": "go",
        "benches": [
          {"name": "BenchmarkFib10", "value": 325, "unit": "ns/op\t      16 B/op\t       2 allocs/op", "extra": "5000000 times\n8 procs"},
          {"name": "BenchmarkFib10 - ns/op", "value": 325, "unit": "ns/op", "extra": "5000000 times\n8 procs"},
          {"name": "BenchmarkFib10 - B/op", "value": 16, "unit": "B/op", "extra": "5000000 times\n8 procs"},
          {"name": "BenchmarkFib10 - allocs/op", "value": 2, "unit": "allocs/op", "extra": "5000000 times\n8 procs"}
        ]
      }
    ],
    "Custom": [
      {
        "commit": {"id": "b840614fd88743f234aac0dc747a0a70616f450f"},
        "date": 1573398543000,
        "tool": "customBiggerIsBetter",
        "benches": [
          {"name": "accuracy", "value": 0.97, "unit": "Percent"},
          {"name": "disk", "value": 3, "unit": "MB/s"},
          {"name": "add", "value": 5, "unit": "points"},
          {"name": "add", "value": 7, "unit": "points"},
          {"name": "lost", "value": null, "unit": "points"}
        ]
      }
    ]
  }
}
