-- What `bench/measure/wrk.js` has wrk send: each body of a file once, or one body always, and what came of it
-- as a line of JSON. Arguments: method, content type, authorization, what is expected (`ok` or `pending`),
-- the file of bodies (one a line), how many of them were sent before, and whether each is sent once.
local threads = {}
local bodies = {}
local sent = 0
local once = false
wrong = 0
spent = 0

function setup(thread)
  table.insert(threads, thread)
end

local function nextBody()
  sent = sent + 1
  if once and sent > #bodies then
    spent = spent + 1
  end
  return wrk.format(nil, nil, nil, bodies[(sent - 1) % #bodies + 1])
end

local function checkPending(status, _, body)
  if status ~= 400 or not (body:find("authorization_pending", 1, true) or body:find("slow_down", 1, true)) then
    wrong = wrong + 1
  end
end

function init(args)
  wrk.method = args[1]
  if args[2] ~= "" then wrk.headers["Content-Type"] = args[2] end
  if args[3] ~= "" then wrk.headers["Authorization"] = args[3] end
  once = args[7] == "once"
  if args[5] ~= "" then
    local skip = once and tonumber(args[6]) or 0
    for line in io.lines(args[5]) do
      if skip > 0 then skip = skip - 1 else bodies[#bodies + 1] = line end
    end
  end
  -- Only what needs them: wrk is faster without.
  if #bodies == 1 and not once then wrk.body = bodies[1] end
  if #bodies > 1 or once then request = nextBody end
  if args[4] == "pending" then response = checkPending end
end

function done(summary, latency)
  local wrongs, overs = 0, 0
  for _, thread in ipairs(threads) do
    wrongs = wrongs + thread:get("wrong")
    overs = overs + thread:get("spent")
  end
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"microseconds":%d,"refused":%d,"wrong":%d,"spent":%d,"broken":%d,"p99":%d}\n',
    summary.requests, summary.duration, errors.status, wrongs, overs,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(99)))
end
