package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// TestMatrix: the inverse, a solution and the norm of symmetric matrices are those of a library.
func TestMatrix(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{1, 2, 7, 40} {
		m, v := newMatrix(size), make([]float64, size)
		for i := range size {
			v[i] = random.NormFloat64()
			m.add(i, i, float64(size))
			for j := range i {
				m.add(i, j, random.Float64()-0.5)
			}
		}
		lower, ok := m.cholesky()
		if !ok {
			t.Fatal("it is positive definite")
		}
		library, inverse, solution := mat.NewSymDense(size, m.data), new(mat.Dense), new(mat.VecDense)
		must(t, inverse.Inverse(library))
		must(t, solution.SolveVec(library, mat.NewVecDense(size, v)))
		got, x, norm := lower.inverse(), lower.solve(v), m.norm()
		for i := range size {
			for j := range size {
				if !near(got.at(i, j), inverse.At(i, j), 1e-12, 1e-12) || !near(x[i], solution.AtVec(i), 1e-12, 1e-12) {
					t.Errorf("size %d, at %d %d: inverse %v, want %v", size, i, j, got.at(i, j), inverse.At(i, j))
				}
			}
		}
		want := mat.Norm(library, 1)
		m.add(0, 0, -float64(size)-1)
		if _, ok := m.cholesky(); ok || !near(norm, want, 1e-12, 0) {
			t.Errorf("norm %v, want %v; a triangle of a matrix that is not positive definite: %v", norm, want, ok)
		}
	}
}

// TestStudent: the t distribution is that of a library.
func TestStudent(t *testing.T) {
	t.Parallel()
	for _, freedom := range []float64{1, 2, 3.5, 10, 99, 1e6} {
		library := distuv.StudentsT{Sigma: 1, Nu: freedom}
		if got, want := student(freedom).quantile(), library.Quantile(0.975); !near(got, want, 1e-12, 0) {
			t.Errorf("%v degrees: quantile %v, want %v", freedom, got, want)
		}
		for _, x := range []float64{-1e9, -3, -1e-9, 0, 0.1, 2, 50, math.Inf(1)} {
			if got, want := student(freedom).cdf(x), library.CDF(x); !near(got, want, 1e-12, 1e-15) {
				t.Errorf("%v degrees at %v: %v, want %v", freedom, x, got, want)
			}
		}
	}
}
