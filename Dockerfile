# syntax=docker/dockerfile:1

# The version of Node that package.json brings and the tests run on; glibc, which sharp and argon2 are built for.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
# The image has a Node of its own; source maps and type declarations are for people.
RUN rm -rf node_modules/node-linux-* node_modules/.bin/node \
    && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    ADMIN_HOST=0.0.0.0 \
    ADMIN_PORT=9091 \
    DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY gen gen
COPY src src
RUN install -d -o node -g node -m 700 /data
# By number, so that Kubernetes can tell that it is not root.
USER 1000:1000
EXPOSE 8080 9091
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ADMIN_PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/main.ts"]
