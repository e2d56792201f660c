{{- define "front-door.name" -}}
{{- default "front-door" .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "front-door.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "front-door.name" .) | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "front-door.selectorLabels" -}}
app.kubernetes.io/name: {{ include "front-door.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "front-door.labels" -}}
{{ include "front-door.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end -}}

{{- define "front-door.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{- /* The configuration file: what is given, with what the chart sets. Secrets are files beside it. */ -}}
{{- define "front-door.configuration" -}}
{{- if and (not .Values.tls.secretName) (not .Values.settings.trustedProxies) -}}
{{- fail "Give settings.trustedProxies (what ends TLS in front of the front doors) or tls.secretName." -}}
{{- end -}}
{{- if and (not .Values.settings.publicUrl) (not .Values.settings.allowedHosts) -}}
{{- fail "Give settings.publicUrl or settings.allowedHosts: the front doors have to know their name." -}}
{{- end -}}
{{- $secrets := "/run/secrets/front-door" -}}
{{- $own := dict
  "listen" "0.0.0.0:8080"
  "internalListen" "0.0.0.0:9090"
  "internalSecretFile" (printf "%s/%s" $secrets .Values.secret.keys.internalSecret)
  "privateKeyFile" (printf "%s/%s" $secrets .Values.secret.keys.privateKey)
  "stateSecretFile" (printf "%s/%s" $secrets .Values.secret.keys.stateSecret)
-}}
{{- if .Values.secret.keys.sharedStatePassword -}}
{{- $_ := set $own "sharedStatePasswordFile" (printf "%s/%s" $secrets .Values.secret.keys.sharedStatePassword) -}}
{{- end -}}
{{- if .Values.tls.secretName -}}
{{- $_ := set $own "tlsCertificateFile" "/run/secrets/tls/tls.crt" -}}
{{- $_ := set $own "tlsKeyFile" "/run/secrets/tls/tls.key" -}}
{{- end -}}
{{- merge $own .Values.settings | toPrettyJson -}}
{{- end -}}
