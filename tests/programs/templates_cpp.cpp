// purpose: templates, references, lambdas, operators, moves, member pointers, static objects, constexpr
// flags: -std=c++17 -fno-exceptions -fno-rtti
#include <cstdio>

template <typename T>
class Stack {
 public:
  Stack() = default;
  Stack(const Stack&) = delete;
  Stack(Stack&& other) : data_(other.data_), size_(other.size_), capacity_(other.capacity_) {
    other.data_ = nullptr;
    other.size_ = other.capacity_ = 0;
  }
  ~Stack() { delete[] data_; }
  void push(const T& value) {
    if (size_ == capacity_) grow();
    data_[size_++] = value;
  }
  T pop() { return data_[--size_]; }
  int size() const { return size_; }
  T& operator[](int i) { return data_[i]; }

 private:
  void grow() {
    T* larger = new T[capacity_ = capacity_ * 2 + 1];
    for (int i = 0; i < size_; ++i) larger[i] = data_[i];
    delete[] data_;
    data_ = larger;
  }
  T* data_ = nullptr;
  int size_ = 0, capacity_ = 0;
};

template <int N>
struct Power {
  static constexpr long value = 3 * Power<N - 1>::value;
};
template <>
struct Power<0> {
  static constexpr long value = 1;
};

template <typename... Ts>
static long total(Ts... values) {
  return (0L + ... + values);
}

template <typename F>
static int repeat(int count, F f) {
  int last = 0;
  for (int i = 0; i < count; ++i) last = f(i);
  return last;
}

struct Logger {
  explicit Logger(const char* n) : name(n) { std::printf("+%s\n", name); }
  ~Logger() { std::printf("-%s\n", name); }
  int twice(int x) const { return 2 * x; }
  const char* name;
};
static Logger global("global");

static int& pick(int& a, int& b) { return a > b ? a : b; }
static Logger& once() {
  static Logger instance("local static");
  return instance;
}

int main() {
  Stack<long> numbers;
  for (int i = 0; i < 10; ++i) numbers.push(i * i);
  Stack<long> moved(static_cast<Stack<long>&&>(numbers));
  moved[2] += 100;
  long top = moved.pop();
  std::printf("%d %d %ld %ld\n", numbers.size(), moved.size(), top, moved[2]);
  int a = 3, b = 4, captured = 5;
  pick(a, b) = 10;
  std::printf("%d %d %ld\n", a, b, total(1, 2L, short{3}, 'a'));
  int last = repeat(4, [&](int i) { return captured += i; });
  std::printf("%d %d %ld\n", last, captured, Power<5>::value);
  int (Logger::*member)(int) const = &Logger::twice;
  std::printf("%d\n", (once().*member)(21));
  once();
  Logger scoped("scoped");
  return last;
}
