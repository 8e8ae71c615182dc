"""What schemathesis must be told to send made-up bytes as a PDF."""

import schemathesis


@schemathesis.serializer("application/pdf")
def pdf(context, value):
    return value if isinstance(value, bytes) else str(value).encode()
