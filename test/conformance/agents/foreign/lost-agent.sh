#!/bin/sh
# An agent that is not ours, and lost: it looks for services where there are none, and finds nothing.
member() { printf '%s' "$AGENT_AUTH_CONTEXT" | sed -n "s/.*\"$1\":\"\\([^\"]*\\)\".*/\\1/p"; }
service=$(member service)
for path in /.well-known/agent.json /.well-known/ai-plugin.json /agents/register; do
  curl --silent --fail --max-time 5 --output /dev/null "$service$path" && exit 0
done
echo "lost-agent: $service does not know agents" >&2
exit 1
