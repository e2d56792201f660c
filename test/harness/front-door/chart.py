"""Renders and lints a Helm chart with Helm's own library, and checks the manifests against schemas of Kubernetes.

Reads {"chart": path, "values": object, "versions": [text]} from each line of the standard input and writes a line with
{"lint": [text], "manifests": [object], "problems": [text]}, or {"refused": text} where Helm does not take the values.
"""

import json
import sys

import helm_python
import kubernetes_validate
import yaml

# Kinds that are no part of Kubernetes: no schema of it knows them.
OTHER_KINDS = {"ServiceMonitor"}


def rendered(request: dict) -> dict:
    report = helm_python.lint(request["chart"], request["values"], strict=True)
    lint = [m["error"] for m in report["messages"] if m["severity"] >= 2] + report["errors"]
    chart = helm_python.Chart.load(request["chart"])
    try:
        chart.validate_schema(chart.merge_values(request["values"]))
        files = chart.render(request["values"], name="tests", namespace="front-doors")
    except helm_python.HelmError as error:
        return {"refused": str(error)}
    texts = [text for path, text in sorted(files.items()) if path.endswith(".yaml")]
    manifests = [one for text in texts for one in yaml.safe_load_all(text) if one is not None]
    problems = []
    for manifest in manifests:
        for version in request["versions"] if manifest["kind"] not in OTHER_KINDS else []:
            try:
                kubernetes_validate.validate(manifest, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                problems.append(f"{manifest['kind']} {version}: {error.message}")
    return {"lint": lint, "manifests": manifests, "problems": problems}


for line in sys.stdin:
    print(json.dumps(rendered(json.loads(line))), flush=True)
