// purpose: virtual functions, two bases, order of constructors and destructors, new and delete
// flags: -fno-exceptions -fno-rtti
#include <cstdio>

struct Shape {
  explicit Shape(const char* n) : name(n) { std::printf("make %s\n", name); }
  virtual ~Shape() { std::printf("drop %s\n", name); }
  virtual double area() const = 0;
  virtual int corners() const { return 0; }
  const char* name;
};

struct Countable {
  virtual ~Countable() = default;
  virtual int weight() const { return weight_; }
  int weight_ = 3;
};

struct Square : Shape, Countable {
  explicit Square(double s) : Shape("square"), side(s) {}
  ~Square() override { std::printf("side %g\n", side); }
  double area() const override { return side * side; }
  int corners() const override { return 4; }
  int weight() const override { return Countable::weight() * corners(); }
  double side;
};

struct Circle final : Shape {
  explicit Circle(double r) : Shape("circle"), radius(r) {}
  double area() const override { return 3 * radius * radius; }
  double radius;
};

static int heaviest(const Countable& c) { return c.weight(); }

int main() {
  Shape* shapes[] = {new Square(2), new Circle(1), new Square(0.5)};
  double total = 0;
  int corners = 0;
  for (const Shape* s : shapes) {
    total += s->area();
    corners += s->corners();
  }
  std::printf("%g %d\n", total, corners);
  for (Shape* s : shapes) delete s;
  Square local(3);
  Countable* other = &local;
  std::printf("%d %d\n", heaviest(local), other->weight());
  int* numbers = new int[5]{1, 2, 3};
  int sum = 0;
  for (int i = 0; i < 5; ++i) sum += numbers[i];
  delete[] numbers;
  return sum + corners;
}
