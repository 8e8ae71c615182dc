{{- define "einvoice.name" -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "einvoice.labels" -}}
app.kubernetes.io/name: einvoice
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}
