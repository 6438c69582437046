# A mock service and a mock provider: docker run -p 127.0.0.1:4800:4800 -p 127.0.0.1:4801:4801 IMAGE [option of mock up …]
FROM node:22-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
# The build is a step of its own, below: its sources are not here yet.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build
RUN npm prune --omit=dev --ignore-scripts

FROM node:22-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /src/package.json /src/LICENSE ./
COPY --from=build /src/bin ./bin
COPY --from=build /src/dist ./dist
COPY --from=build /src/openapi ./openapi
COPY --from=build /src/node_modules ./node_modules
USER node
EXPOSE 4800 4801
# By the note that running mocks leave: it knows their ports, their certificate and their token.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["node", "bin/agent-auth.js", "mock", "list", "--json"]
# Sign-in asks for no password: who may reach it is decided by the ports that are published.
ENTRYPOINT ["node", "bin/agent-auth.js", "mock", "up", "--host", "0.0.0.0", "--allow-remote-passwordless-sign-in", "--port", "4800"]
CMD []
