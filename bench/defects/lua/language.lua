-- Most of what the language and its library have, so that most of the interpreter runs.
local function check(condition, what) if not condition then error(what, 2) end end

local account = {}
account.__index = account
account.__add = function(a, b) return account.new(a.sum + b.sum) end
account.__eq = function(a, b) return a.sum == b.sum end
account.__lt = function(a, b) return a.sum < b.sum end
account.__concat = function(a, b) return tostring(a) .. tostring(b) end
account.__tostring = function(a) return "[" .. a.sum .. "]" end
account.__len = function(a) return a.sum end
account.__call = function(a, more) a.sum = a.sum + more; return a end
account.__close = function(a) a.sum = 0 end
function account.new(sum) return setmetatable({sum = sum}, account) end
local a, b = account.new(3), account.new(4)
check((a + b).sum == 7 and a < b and a ~= b and #a == 3, "metamethods")
check(a .. b == "[3][4]" and a(2).sum == 5, "metamethods")
do local closed <close> = b end
check(b.sum == 0, "close")

local words = {}
for word, number in ("alpha 1 beta 22 gamma 333"):gmatch("(%a+) (%d+)") do words[word] = tonumber(number) end
check(words.gamma == 333, "gmatch")
check(("x = 10, y = 20"):gsub("(%w+) = (%w+)", "%2 = %1") == "10 = x, 20 = y", "gsub")
check(("%5.1f|%-5s|%q|%x"):format(3.14159, "ab", "a\n\0b", 48879) == '  3.1|ab   |"a\\\n\\0b"|beef', "format")
check(string.pack("<i4z", 77, "text") == "M\0\0\0text\0", "pack")
check(select(2, string.unpack("<i4z", "M\0\0\0text\0")) == "text", "unpack")
check(utf8.char(228, 8364, 128512) == "ä€😀" and utf8.len("ä€😀") == 3, "utf8")
check(#("ab"):rep(1000, ",") == 2999 and ("abc"):reverse():upper() == "CBA", "rep")

local sorted = {}
for i = 1, 500 do sorted[i] = (i * 7919) % 503 end
table.sort(sorted, function(x, y) return x > y end)
for i = 2, #sorted do check(sorted[i - 1] >= sorted[i], "sort") end
check(table.concat(table.move({1, 2, 3, 4}, 2, 4, 1), "-") == "2-3-4-4", "move")
check(select("#", table.unpack({1, nil, 3}, 1, 3)) == 3, "unpack")
for i = 1, 400 do table.insert(sorted, 1 + i % 7, i) end
while #sorted > 0 do table.remove(sorted, (#sorted + 1) // 2) end

local producer = coroutine.wrap(function()
  local held <close> = account.new(1)
  for i = 1, 5 do coroutine.yield(i) end
  error("empty")
end)
for i = 1, 5 do check(producer() == i, "yield") end
check(not pcall(producer), "an error in a coroutine")
local thread = coroutine.create(function(...) local n = coroutine.yield(...) return n * 2 end)
check(select(2, coroutine.resume(thread, 5)) == 5 and select(2, coroutine.resume(thread, 21)) == 42, "resume")
check(coroutine.status(thread) == "dead", "status")

local ok, message = xpcall(function() local missing; return missing.field end, debug.traceback)
check(not ok and message:find("missing"), "a message with a name")
check(select(2, pcall(string.rep, "x", -1)) == "" and not pcall(string.rep), "arguments")
check(not pcall(function() local t = setmetatable({}, {__index = function(t, k) return t[k] end}) return t.x end), "overflow of the stack")
check(load("return 1 + ...")(2) == 3 and not load("return ("), "load")
check(load(string.dump(function(x) return x * 3 end))(14) == 42, "dump")

check(7 // 2 == 3 and -7 // 2 == -4 and 7 % -3 == -2 and 2 ^ 10 == 1024.0 and 1 << 62 > 0, "arithmetic")
check(math.type(3) == "integer" and math.tointeger(3.0) == 3 and math.maxinteger + 1 == math.mininteger, "integers")
check(tostring(1e100) == "1e+100" and tonumber("0x.8p1") == 1.0 and tonumber("z", 36) == 35, "numbers")

local weak = setmetatable({}, {__mode = "k"})
for i = 1, 100 do weak[{}] = i end
local finalised = 0
for i = 1, 50 do setmetatable({}, {__gc = function() finalised = finalised + 1 end}) end
collectgarbage()
check(next(weak) == nil and finalised == 50, "collection")
collectgarbage("generational")
local garbage = {}
for i = 1, 3000 do garbage[i % 50] = {i, tostring(i), function() return i end} end
collectgarbage("incremental")
collectgarbage()

for i = 1, 3 do
  for j = 1, 3 do
    if j == 2 then goto continue end
    check(j ~= 2, "goto")
    ::continue::
  end
end
local name = "words.txt"
local file <close> = assert(io.open(name, "w+"))
file:write("one\n2 3.5\n", 4, "\n")
file:seek("set")
check(file:read("l") == "one" and file:read("n") == 2 and file:read("n", "l", "a") == 3.5, "reading")
os.remove(name)
print("done", os.date("!%Y", 0), #os.getenv("PATH") > 0)
