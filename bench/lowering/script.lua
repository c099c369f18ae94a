-- A little of everything that Lua does: closures, metatables, strings and patterns, sorting, coroutines, errors' absence.
local function counter(step)
  local n = 0
  return function()
    n = n + step
    return n
  end
end
local by_two, by_ten = counter(2), counter(10)
by_two() by_ten()
print(by_two(), by_ten(), by_two())

print(string.format("%5d|%-8s|%08.3f|%x|%q|%g", 42, "left", 3.14159, 48879, 'a "quoted" line', 1e100))
print(("ab"):rep(5, "-"), ("Hello"):upper(), ("x"):byte(), #"length")
print((("the quick brown fox"):gsub("%w+", function(w) return w:sub(1, 1):upper() .. w:sub(2) end)))
print(("key=value; other=thing"):match("(%w+)=(%w+)"))
for k, v in ("a=1, b=22, c=333"):gmatch("(%w+)=(%w+)") do io.write(k, ":", v, " ") end
print()

local words = {"pear", "apple", "fig", "banana", "cherry"}
table.sort(words)
print(table.concat(words, " "))
table.sort(words, function(a, b) return #a < #b or (#a == #b and a > b) end)
print(table.concat(words, " "), #words, select("#", table.unpack(words)))
table.insert(words, 2, "kiwi")
print(table.remove(words), words[2])

local sum = 0
for i = 10, 1, -3 do sum = sum + i end
for i = 1, 3, 0.5 do sum = sum + i end
print(sum, 7 // 2, -7 // 2, 7 % -3, 2 ^ 10, 7 / 2, 1 << 40, 5 & 6 | 8 ~ 3)
print(math.maxinteger, math.mininteger, math.type(1), math.type(1.0), math.floor(-3.5), 0x10p2, tostring(1e15), 2 ^ 53)

local Point = {}
Point.__index = Point
Point.__add = function(a, b) return Point.new(a.x + b.x, a.y + b.y) end
Point.__tostring = function(p) return "(" .. p.x .. ", " .. p.y .. ")" end
Point.__eq = function(a, b) return a.x == b.x and a.y == b.y end
function Point.new(x, y) return setmetatable({x = x, y = y}, Point) end
function Point:length2() return self.x * self.x + self.y * self.y end
print(tostring(Point.new(1, 2) + Point.new(3, 4)), Point.new(3, 4):length2(), Point.new(1, 1) == Point.new(1, 1))

local function fibonacci(n) return n < 2 and n or fibonacci(n - 1) + fibonacci(n - 2) end
local sieve, primes = {}, {}
for i = 2, 60 do
  if not sieve[i] then
    primes[#primes + 1] = i
    for j = i * i, 60, i do sieve[j] = true end
  end
end
print(fibonacci(15), table.concat(primes, ","))

local big = {}
for i = 1, 500 do big["k" .. i] = i end
for i = 1, 500, 2 do big["k" .. i] = nil end
local count, total = 0, 0
for _, v in pairs(big) do count, total = count + 1, total + v end
collectgarbage()
print(count, total, tonumber("0x1F"), tonumber("  12.5  "), tonumber("z", 36), tonumber("nope"))

goto done
print("never")
::done::
print(os.time{year = 2020, month = 1, day = 1, hour = 12} ~= nil, type(print), rawlen({1, 2, 3}), next({}))

local ok, message = pcall(function() error({code = 7}) end)
print(ok, message.code, select(2, pcall(error, "plain", 0)), pcall(string.rep), (pcall(nil)))
local co = coroutine.wrap(function(a) local b = coroutine.yield(a + 1); error("from " .. b, 0) end)
print(co(1), pcall(co, "inside"))
