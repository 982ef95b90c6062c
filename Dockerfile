# The service, without an engine of its own: it needs the address of a Neo4j (docs/operation/deployment.md).
FROM python:3.13-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY cypher cypher
COPY graphql graphql
COPY seed seed
COPY explorer explorer
COPY legacymind legacymind
RUN python -m venv /opt/legacymind && /opt/legacymind/bin/pip install --no-cache-dir '.[openai,otel]'

FROM python:3.13-slim
# The folder of downloads is the only one that the service writes to.
RUN useradd --uid 10001 --create-home legacymind \
    && install --directory --owner=legacymind --group=legacymind /var/cache/legacymind
COPY --from=build /opt/legacymind /opt/legacymind
ENV PATH=/opt/legacymind/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    LEGACYMIND_CACHE=/var/cache/legacymind \
    LEGACYMIND_SERVE_HOST=0.0.0.0
USER legacymind
WORKDIR /home/legacymind
VOLUME /var/cache/legacymind
EXPOSE 8787
# Neo4j may start later than the service, and the first start downloads the model.
HEALTHCHECK --interval=10s --timeout=8s --start-period=180s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8787/readyz', timeout=7)"]
ENTRYPOINT ["legacymind"]
CMD ["serve"]
