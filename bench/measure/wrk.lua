-- What `bench/measure/wrk.js` has wrk send: each body of a file in its turn, and what came of it as a line of JSON.
-- Arguments: method, content type, authorization, what is expected (`ok` or `pending`), the file of bodies (one a line).
local threads = {}
local bodies = {}
local sent = 0
wrong = 0

function setup(thread)
  table.insert(threads, thread)
end

local function nextBody()
  sent = sent + 1
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
  if args[5] ~= "" then
    for line in io.lines(args[5]) do bodies[#bodies + 1] = line end
  end
  -- Only what needs them: wrk is faster without.
  if #bodies == 1 then wrk.body = bodies[1] end
  if #bodies > 1 then request = nextBody end
  if args[4] == "pending" then response = checkPending end
end

function done(summary)
  local wrongs = 0
  for _, thread in ipairs(threads) do wrongs = wrongs + thread:get("wrong") end
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"microseconds":%d,"refused":%d,"wrong":%d,"broken":%d}\n',
    summary.requests, summary.duration, errors.status, wrongs,
    errors.connect + errors.read + errors.write + errors.timeout))
end
